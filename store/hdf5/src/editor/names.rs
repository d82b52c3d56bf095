//! Objects with several names: what else leads to them, and what becomes of them when names go.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::group::{Child, DEPTH_MAX};
use super::{Editor, Node, NodeId, ROOT};
use crate::error::{Error, Result};
use crate::group::links;
use crate::message::LAYOUT;
use crate::message::link::LinkTarget;
use crate::object_header::ObjectHeader;
use crate::source::Source;

/// A link: its group, and its name there.
type Place = (NodeId, String);

/// What becomes of the objects with several names that lose some.
#[derive(Debug, Default)]
pub(super) struct Fates {
    /// Those that nothing leads to any more.
    dying: Vec<u64>,
    /// Those that have other names, and where.
    kept: Vec<(u64, Vec<Place>)>,
}

/// The links of all groups but those that are gone.
#[derive(Debug, Default)]
struct Names {
    /// Those to objects with several names.
    places: BTreeMap<u64, Vec<Place>>,
    /// What groups lead to in which no link can be changed.
    fixed: BTreeSet<u64>,
    /// Groups that were read.
    met: BTreeSet<u64>,
}

impl Editor<'_> {
    /// What becomes of objects with several names when the link `name` of the group `parent` goes,
    /// and all below it. Nothing is changed yet.
    ///
    /// # Errors
    ///
    /// [`Error::NotSupported`] where another name of one is in a group that cannot be changed, or it
    /// is a committed datatype: then nobody could say how many links lead to it.
    pub(super) fn fates_without(&mut self, parent: NodeId, name: &str) -> Result<Fates> {
        let mut fates = Fates::default();
        let Some(source) = self.source.clone() else {
            return Ok(fates);
        };
        let mut met = BTreeSet::new();
        let mut waiting = BTreeSet::new();
        if let Some(place) = self.group_ref(parent)?.links.get(name) {
            self.find_shared(&source, &place.child, 0, &mut met, &mut waiting);
        }
        if waiting.is_empty() {
            return Ok(fates);
        }
        let mut names = Names::default();
        self.find_names(&source, (ROOT, 0), (parent, name), &mut names)?;
        let mut judged = BTreeSet::new();
        while let Some(address) = waiting.pop_first() {
            if !judged.insert(address) {
                continue;
            }
            let header = ObjectHeader::read(&source, address)?;
            if names.fixed.contains(&address) {
                return Err(Error::not_supported(
                    "unlinking an object that has another name in a group that cannot be changed",
                ));
            }
            if header.find(LAYOUT).is_none() && !links::is_group(&header) {
                return Err(Error::not_supported(
                    "unlinking a committed datatype that something else uses",
                ));
            }
            if let Some(places) = names.places.remove(&address) {
                fates.kept.push((address, places));
                continue;
            }
            fates.dying.push(address);
            if links::is_group(&header) {
                for link in links::read_all(&source, &header)? {
                    let child = Child::Other(link.target);
                    self.find_shared(&source, &child, 0, &mut met, &mut waiting);
                }
            }
        }
        Ok(fates)
    }

    /// Finds the objects with several names that `child` leads to, and looks into none of them. What
    /// cannot be read leads nowhere.
    fn find_shared(
        &self,
        source: &Arc<Source>,
        child: &Child,
        depth: usize,
        met: &mut BTreeSet<u64>,
        shared: &mut BTreeSet<u64>,
    ) {
        match child {
            Child::Node(id) => {
                let Node::Group(group) = &self.nodes[*id] else {
                    return;
                };
                for place in group.links.values() {
                    self.find_shared(source, &place.child, depth + 1, met, shared);
                }
            }
            Child::Other(LinkTarget::Hard(address)) => {
                if depth > DEPTH_MAX || !met.insert(*address) {
                    return;
                }
                let Ok(header) = ObjectHeader::read(source, *address) else {
                    return;
                };
                if header.has_several_names() {
                    shared.insert(*address);
                } else if links::is_group(&header) {
                    let links = links::read_all(source, &header).unwrap_or_default();
                    for link in links {
                        let child = Child::Other(link.target);
                        self.find_shared(source, &child, depth + 1, met, shared);
                    }
                }
            }
            Child::Other(_) => {}
        }
    }

    /// Finds the links below the group `id`, which lies in `depth` groups, to objects with several
    /// names; the link `gone` left out, and what is below it.
    fn find_names(
        &mut self,
        source: &Arc<Source>,
        (id, depth): (NodeId, usize),
        gone: (NodeId, &str),
        names: &mut Names,
    ) -> Result<()> {
        let own: Vec<_> = self.group_ref(id)?.links.keys().cloned().collect();
        for name in own {
            if (id, name.as_str()) == gone {
                continue;
            }
            let address = match &self.group_ref(id)?.links[&name].child {
                Child::Node(_) => None,
                Child::Other(LinkTarget::Hard(address)) => Some(*address),
                Child::Other(_) => continue,
            };
            if let Some(address) = address {
                let header = ObjectHeader::read(source, address)?;
                if header.has_several_names() {
                    names.places.entry(address).or_default().push((id, name));
                    find_fixed(source, &header, depth + 1, names)?;
                    continue;
                }
                if header.find(LAYOUT).is_some() || !links::is_group(&header) {
                    continue;
                }
            }
            match self.child(id, &name) {
                Ok(Some(child)) if self.group_ref(child).is_ok() => {
                    self.find_names(source, (child, depth + 1), gone, names)?;
                }
                Ok(_) => {}
                Err(error) if error.is_not_supported() => {
                    if let Some(address) = address {
                        let header = ObjectHeader::read(source, address)?;
                        find_fixed(source, &header, depth + 1, names)?;
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Lets objects have the fates that they have now that the links are gone: what has other names
    /// is written with as many as it has left, and those lead to where it is now.
    pub(super) fn meet_fates(&mut self, fates: Fates) -> Result<()> {
        let Some(source) = self.source.clone() else {
            return Ok(());
        };
        let mut met = BTreeSet::new();
        for address in fates.dying {
            met.insert(address);
            if let Ok(node) = ObjectHeader::read(&source, address)
                .and_then(|header| super::group::node_of(&source, &header))
            {
                self.bury_object(node, 0, &mut met);
            }
        }
        for (address, places) in fates.kept {
            let header = ObjectHeader::read(&source, address)?;
            let n_links = u32::try_from(places.len()).unwrap_or(u32::MAX);
            let moved = self
                .target
                .sink()
                .append(header.encode_as_named(n_links)?)?;
            self.bury(header.len_bytes);
            for (group, name) in places {
                if let Some(place) = self.group_mut(group)?.links.get_mut(&name) {
                    place.child = Child::Other(LinkTarget::Hard(moved));
                }
            }
            // It may be looked into at once.
            self.settle()?;
        }
        Ok(())
    }
}

/// Notes all that a group leads to, in which no link can be changed, and the groups below it.
fn find_fixed(
    source: &Arc<Source>,
    header: &ObjectHeader,
    depth: usize,
    names: &mut Names,
) -> Result<()> {
    if !links::is_group(header) || !names.met.insert(header.address) {
        return Ok(());
    }
    if depth > DEPTH_MAX {
        let (structure, limit) = ("groups within groups", DEPTH_MAX as u64);
        return Err(Error::Limit {
            structure,
            offset_bytes: header.address,
            asked: depth as u64,
            limit,
        });
    }
    for link in links::read_all(source, header)? {
        let LinkTarget::Hard(address) = link.target else {
            continue;
        };
        names.fixed.insert(address);
        find_fixed(
            source,
            &ObjectHeader::read(source, address)?,
            depth + 1,
            names,
        )?;
    }
    Ok(())
}
