"""Letters that look like a plain Latin one.

From the *confusables* of Unicode's security mechanisms (UTS 39): letters of any script, digits and marks that one
takes for one of `a` to `z` or `A` to `Z`, but for those that compatibility normalization (NFKC) makes that letter;
and the small letter of each capital among them.
"""

from __future__ import annotations

from collections.abc import Mapping

_LOOKS_LIKE: Mapping[str, str] = {
    "a": "ɑΑαАаᎪᗅꓮꭺ𐊠𖽀",
    "b": "ƄƅΒβВЬвьᏏᏴᏼᑲᖯᗷꓐꞴꞵꮟ𐊂𐊡𐌁",
    "c": "ΣςСсᏟᴄⲤⲥꓚꮯ𐊢𐌂𐐕𐐽𐔜𑣩𑣲",
    "d": "ԁᎠᏧᑯᗞᗪꓒꓓꭰꮷ",
    "e": "ΕεЕеҽᎬⴹꓰꬲꭼ𐊆𑢦𑢮𑣆𑣎",
    "f": "ϜϝքᖴẝꓝꞘꞙꬵ𐊇𐊥𐔥𑢢𑣂",
    "g": "ƍɡԌԍցᏀᏳᏻᶃꓖꮐ",
    "h": "ΗηНнһհᎻᏂᕼⲎⲏꓧꮋꮒ𐋏",
    "i": "ıɩɪιіӏᎥꙇꭵ𑣃",
    "j": "ʝͿϳЈјᎫᒍꓙꞲꭻ",
    "k": "ΚκКкᏦᛕⲔⲕꓗꮶ𐔘",
    "l": "ƖǀΙІӀ۱ᏞᒪᛁⲒⲓⳐⳑⵏꓡꓲꮮ𐊊𐌉𐌠𐐛𐑃𐔦𑢣𑢲𑣒𖼖𖼨",
    "m": "ΜμϺϻМмᎷᗰᛖⲘⲙꓟꮇ𐊰𐌑",
    "n": "ΝոռⲚⲛꓠ𐔓",
    "o": "ΟοσОоՕօ۵०০੦૦ଠ୦௦ం౦ಂ೦ംഠ൦ං๐໐ဝ၀ჿዐᴏᴑⲞⲟⵔ〇ꓳꬽ𐊒𐊫𐐄𐐬𐓂𐓪𐔖𑓐𑢵𑣈𑣕𑣗𑣠",
    "p": "ΡρРрᏢᑭⲢⲣꓑꮲ𐊕",
    "q": "ԛգզⵕ",
    "r": "ƦʀгᎡᏒᖇᴦⲅꓣꭇꭈꭱꮁꮢ𐒴𐓜𖼵",
    "s": "ƽЅѕՏտᏕᏚꓢꜱꮥꮪ𐊖𐐠𐑈𑣁𖼺",
    "t": "ΤτТтᎢⲦⲧꓔꭲ𐊗𐊱𐌕𑢼𖼊",
    "u": "ʋυՍսሀᑌᴜꓴꞟꭎꭒ𐓎𐓶𑢸𑣘𖽂",
    "v": "νѴѵ۷Ꮩᐯᴠⴸꓦꛟꮩ𐔝𑜆𑢠𑣀𖼈",
    "w": "ɯѡԜԝաᎳᏔᴡꓪꮃꮤ𑜊𑜎𑜏𑣦𑣯",
    "x": "ΧχХхᕁᕽᚷⲬⲭⵝꓫꞳꭓ𐊐𐊴𐌗𐌢𐔧𑣬",
    "y": "ɣʏΥγУуҮүყᎩᎽᶌỿⲨⲩꓬꭚꭹꮍ𐊲𑢤𑣜𖽃",
    "z": "ΖζᏃᴢꓜꮓ𐋵𑢩𑣄𑣉𑣥",
}
# For `str.translate`.
TO_LATIN = {ord(one): latin for latin, alike in _LOOKS_LIKE.items() for one in alike}
# A Latin letter that slipped into a Cyrillic name.
TO_CYRILLIC = str.maketrans("abcehijkmopstxy", "авсенијкморѕтху")
