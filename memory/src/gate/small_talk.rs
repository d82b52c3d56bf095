//! Phrases that say nothing by themselves, as the gate compares them: lower case, no punctuation.
//!
//! Left out on purpose, since an answer can hang on them: no, never, right, wait, stop, go ahead,
//! agreed, and whatever names a thing, a person or a time.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Whether these words, a space between each two, are one phrase of any language.
pub(super) fn is_phrase(words: &str) -> bool {
    static ALL: LazyLock<HashSet<&str>> = LazyLock::new(|| phrases().collect());
    ALL.contains(words)
}

/// Every phrase, of every language.
pub(super) fn phrases() -> impl Iterator<Item = &'static str> {
    PHRASES.into_iter().flat_map(|phrases| phrases.split(", "))
}

/// The phrases that follow each other without a space.
pub(super) fn unspaced() -> impl Iterator<Item = &'static str> {
    UNSPACED.split(", ")
}

/// One list a language. Comma separated; at most four words each.
const PHRASES: [&str; 20] = [
    ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN, DUTCH, NORDIC, POLISH, RUSSIAN,
    UKRAINIAN, TURKISH, ARABIC, HEBREW, HINDI, KOREAN, VIETNAMESE, INDONESIAN, GREEK, UNSPACED,
];

const ENGLISH: &str = "\
    hi, hello, hey, hi there, hello there, hey there, hiya, yo, howdy, sup, whats up, \
    good morning, good afternoon, good evening, good night, goodnight, bye, bye bye, \
    goodbye, see you, see ya, see you later, take care, how are you, how are you doing, \
    how are you today, how do you do, nice to meet you, thanks, thank you, \
    thank you very much, thank you so much, thanks so much, thanks a lot, thanks again, \
    many thanks, thx, ty, tysm, cheers, youre welcome, you are welcome, no problem, \
    no worries, np, my pleasure, anytime, please, sorry, excuse me, ok, okay, okey, okie, \
    alright, all right, yes, yeah, yea, yep, yup, yes please, sure, sure thing, \
    of course, certainly, absolutely, definitely, exactly, indeed, totally, great, nice, \
    cool, awesome, perfect, excellent, amazing, wonderful, fantastic, brilliant, good, \
    very good, good job, great job, well done, nice work, sounds good, sounds great, \
    looks good, got it, gotcha, i see, i understand, understood, noted, roger, makes sense, \
    that makes sense, good to know, interesting, will do, wow, oh, ah, aha, hm, hmm, mhm, \
    mm, um, uh, uh huh, er, eh, huh, oops, whoops, well, so, lol, lmao, rofl, xd, heh, omg";
const GERMAN: &str = "\
    hallo, moin, servus, grüß gott, grüss gott, guten morgen, guten tag, guten abend, \
    gute nacht, tschüss, tschüs, auf wiedersehen, bis später, bis dann, danke, danke schön, \
    dankeschön, danke sehr, vielen dank, besten dank, bitte, bitte schön, bitte sehr, \
    gern geschehen, gerne, gern, ja, jo, jawohl, genau, klar, alles klar, na klar, gut, \
    sehr gut, super, toll, prima, verstanden, ach so, achso, na ja, naja, kein problem, \
    wie gehts, wie geht es dir";
const FRENCH: &str = "\
    bonjour, bonsoir, salut, coucou, bonne nuit, au revoir, à bientôt, merci, \
    merci beaucoup, merci bien, de rien, je vous en prie, oui, ouais, daccord, dac, bien, \
    très bien, parfait, génial, cest bon, ça va, comment ça va, ah bon, bien sûr, \
    pas de souci";
const SPANISH: &str = "\
    hola, buenos días, buenas tardes, buenas noches, buenas, adiós, hasta luego, gracias, \
    muchas gracias, de nada, sí, si, claro, vale, bueno, muy bien, perfecto, genial, \
    entendido, por favor, qué tal, cómo estás, por supuesto";
const PORTUGUESE: &str = "\
    olá, oi, bom dia, boa tarde, boa noite, tchau, obrigado, obrigada, muito obrigado, \
    muito obrigada, sim, tudo bem, beleza, ótimo, valeu, entendi, com certeza";
const ITALIAN: &str = "\
    ciao, buongiorno, buonasera, buonanotte, arrivederci, grazie, grazie mille, prego, sì, \
    va bene, certo, perfetto, bene, molto bene, capito, per favore";
const DUTCH: &str = "\
    hoi, goedemorgen, goedemiddag, goedenavond, doei, dank je, dank je wel, dankjewel, \
    bedankt, graag gedaan, goed, oké";
const NORDIC: &str = "hej, hei, tack, tack så mycket, tak, takk, tusen takk, kiitos, kyllä, joo";
const POLISH: &str = "\
    cześć, dzień dobry, dobry wieczór, dobranoc, do widzenia, dziękuję, dzięki, tak, \
    dobrze, proszę, jasne";
const RUSSIAN: &str = "\
    привет, здравствуйте, здравствуй, добрый день, доброе утро, добрый вечер, \
    спокойной ночи, пока, до свидания, спасибо, большое спасибо, спасибо большое, \
    пожалуйста, да, ага, угу, хорошо, ладно, понятно, понял, поняла, окей, ок, супер, \
    отлично, конечно";
const UKRAINIAN: &str = "привіт, добрий день, дякую, так, добре, будь ласка";
const TURKISH: &str = "\
    merhaba, selam, günaydın, günaydin, iyi geceler, teşekkürler, teşekkür ederim, sağol, evet, \
    tamam, rica ederim";
const ARABIC: &str = "مرحبا, السلام عليكم, صباح الخير, شكرا, شكرا جزيلا, نعم, حسنا, تمام, عفوا";
const HEBREW: &str = "שלום, תודה, תודה רבה, כן, בסדר, בוקר טוב";
const HINDI: &str = "नमस्ते, धन्यवाद, शुक्रिया, हाँ, ठीक है, अच्छा";
const KOREAN: &str = "안녕, 안녕하세요, 감사합니다, 고마워, 고마워요, 고맙습니다, 네, 예, 응, 알겠습니다, 알겠어요, 좋아요, 천만에요, 오케이";
const VIETNAMESE: &str = "xin chào, cảm ơn, vâng, dạ";
const INDONESIAN: &str = "halo, selamat pagi, terima kasih, baik, oke, sama sama";
const GREEK: &str = "γεια, γεια σου, καλημέρα, ευχαριστώ, ναι, εντάξει";

/// Chinese and Japanese, which follow each other without a space.
const UNSPACED: &str = "\
    你好, 您好, 大家好, 早上好, 早安, 晚上好, 晚安, 再见, 拜拜, 谢谢, 谢谢你, 謝謝, 多谢, 不客气, 没关系, 好, 好的, 好吧, 嗯, 哦, 是的, \
    对, 对的, 没问题, 明白, 明白了, 知道了, 太好了, こんにちは, こんばんは, おはよう, おはようございます, おやすみ, おやすみなさい, さようなら, \
    ありがとう, ありがとうございます, どうも, どういたしまして, はい, うん, ええ, そうですね, なるほど, 了解, 了解です, わかりました, 分かりました, \
    承知しました, オッケー, すみません";
