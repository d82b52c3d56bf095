//! What the gate keeps, and what it does not.

use proptest::prelude::*;

use super::{Trivial, WORDS_MAX, small_talk, trivial};

/// Says nothing, in many languages.
const SMALL_TALK: &str = "\
    ok | OK! | Okay. | okkkk | Yes | yes!! | yeah, sure | Thanks! | thank you so much | \
    Thank you very much, great | hi | Hello there! | hiii | good morning :) | lol | LOL 😂 | \
    haha | Hahahaha! | hehehe ok | That makes sense, thanks | you’re welcome | \
    You're welcome! | got it | sounds good | Goooood | hmm | oh, I see. | Danke schön! | \
    Vielen Dank | Guten Morgen | alles klar | Merci beaucoup | d'accord | Bonjour ! | ¡Hola! | \
    muchas gracias | sí | jajaja | obrigado | Ciao | va bene, grazie | спасибо | Привет! | \
    хахаха | да, конечно | dziękuję | teşekkürler | شكرا | תודה רבה | धन्यवाद | 감사합니다 | ㅋㅋㅋ | \
    네, 알겠습니다 | 谢谢 | 好的，谢谢 | 好的谢谢你 | 你好！ | 哈哈哈 | 嗯嗯 | ありがとうございます | はい、わかりました | なるほど | ｏｋ | \
    cảm ơn | ευχαριστώ";
/// Short, and says something.
const KEPT: &str = "\
    I'm vegan | Deploy now | call 911 | No. | no | Never. | nope | Stop | Wait | Go ahead | \
    Agreed. | Left or right? Right. | Alice | Hi Bob | Thanks, Alice | ok google | \
    yes, in Berlin | Use tabs | use vim | port 8080 | 8080 | v2.5 | ½ | 三 | C++ | F# | R | K | \
    KKK | Java | Ja Rule | Hawaii | Hehe is a river in Xinjiang | Hi-Fi | Yes (band) | \
    OK Computer | Good Omens | Hello Kitty | Roger Federer | She said yes | \
    Cheers is a TV show | Nice, France | super glue | Bitte vegan | Ich bin Vegetarierin | \
    kein Fleisch | Je suis végane | Soy vegano | sono celiaco | Sou alérgico | Я веган | Нет | \
    нет, спасибо | Jestem weganką | Veganım | أنا نباتي | لا | אני טבעוני | मैं शाकाहारी हूँ | \
    我吃素 | 我是医生 | 不 | 不要 | 好人 | 你好吗我在北京 | 对花生过敏 | 私は医者です | 猫が好き | いいえ | はい、東京です | 저는 채식주의자예요 | \
    아니요 | tôi ăn chay | localhost | RSVP | ESC | jazz | haiku | ok ok ok ok ok ok ok | \
    thank you for fixing the login | so it goes | be well | Hi, I moved";

#[test]
fn small_talk_is_trivial() {
    for text in SMALL_TALK.split(" | ") {
        let decomposed: String = unicode_normalization::UnicodeNormalization::nfd(text).collect();
        assert_eq!(trivial(text), Some(Trivial::SmallTalk), "{text}");
        assert_eq!(
            trivial(&decomposed),
            Some(Trivial::SmallTalk),
            "{text} in NFD"
        );
    }
}

#[test]
fn a_text_without_words_is_trivial() {
    for text in ["", " ", "\n\t\u{3000}"] {
        assert_eq!(trivial(text), Some(Trivial::Blank), "{text:?}");
    }
    for text in ["...", "?!", "👍", "😂😂😂", "🙏 ❤️", "—", ":-)", "👨‍👩‍👧"]
    {
        assert_eq!(trivial(text), Some(Trivial::NoWords), "{text:?}");
    }
}

#[test]
fn short_texts_with_meaning_are_kept() {
    for text in KEPT.split(" | ") {
        assert_eq!(trivial(text), None, "{text}");
    }
}

#[test]
fn each_phrase_is_small_talk_by_itself() {
    for phrase in small_talk::phrases() {
        assert_eq!(trivial(phrase), Some(Trivial::SmallTalk), "{phrase}");
        assert_eq!(
            trivial(&phrase.to_uppercase()),
            Some(Trivial::SmallTalk),
            "{phrase}"
        );
    }
}

proptest! {
    #[test]
    fn any_text_is_judged_without_a_panic(text in any::<String>()) {
        trivial(&text);
    }

    #[test]
    fn a_text_with_a_digit_is_kept(before in "(ok|thanks|yes|lol|好的| |!)*", digit in 0..10u8, after in "\\PC*") {
        prop_assert_eq!(trivial(&format!("{before}{digit}{after}")), None);
    }

    #[test]
    fn a_text_of_many_words_is_kept(words in prop::collection::vec("(ok|thanks|yes|lol|hi)", WORDS_MAX + 1..20)) {
        prop_assert_eq!(trivial(&words.join(" ")), None);
    }

    #[test]
    fn a_word_beside_small_talk_saves_it(small in "(ok|thanks|yes|lol|hi)", word in "[b-df-gj-np-rt-z]{5,9}") {
        prop_assert_eq!(trivial(&format!("{small} {word}")), None);
    }

    #[test]
    fn case_and_punctuation_decide_nothing(words in prop::collection::vec("(ok|thanks|yes|vegan|berlin)", 1..4)) {
        let shouted = format!("«{}»!!", words.join(", ").to_uppercase());
        prop_assert_eq!(trivial(&words.join(" ")), trivial(&shouted));
    }
}
