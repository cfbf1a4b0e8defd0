// Names that a person takes for one another: tokens of strangers are made to look like those that one has.
//
// Unicode's own table of such letters has some 6,000 pairs, and the npm packages that hold it weigh more than this page's code and follow
// old releases of it. Here stand the letters that look like those of a to z: names are mostly imitated with them. What looks
// different only in style (bold, wide, round letters), case or accents is taken care of by normalization.
import { clean } from "./text";

/** Letters, and under each what it looks like. */
const PAIRS: [letters: string, looks: string][] = [
  // Cyrillic
  ["АВЕЅІЈКМНОРСТУХҮԜЗб", "ABESIJKMHOPCTYXYW36"],
  ["авеѕіјкмнорстухүѵԝԁԛһӏгп", "abesijkmhopctyxyvwdqhlrn"],
  // Greek
  ["ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϺ", "ABEZHIKMNOPTYXCM"],
  ["αβγεηικμνορσςτυχωϲ", "abyenikuvopocruxwc"],
  // Armenian
  ["ՍՕԼօհոսցզյլք", "UOLohnugqjlp"],
  // Cherokee
  ["ᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᎾᏢᏒᏚᎢᏙᎳᎩᏃᏀ", "ABCDEHJKLMOPRSTVWYZG"],
  // Latin letters that normalization leaves as they are
  ["ıɩɪɑɡɢʀʙɴʜʟꜱᴀᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡʏᴢøØđĐłŁħĦŧŦƒɓɗƙƥƭ", "iiiaggrbnhlsacdejkmoptuvwyzoOdDlLhHtTfbdkpt"],
];

const LOOKS = new Map(
  PAIRS.flatMap(([letters, looks]) => [...letters].map((letter, at): [string, string] => [letter, [...looks][at] ?? letter])),
);

const lookOf = (text: string): string => [...text].map((letter) => LOOKS.get(letter) ?? letter).join("");

/** What a name looks like: two with the same are taken for one another. */
export function skeleton(name: string): string {
  // Before, because some of them are normalized to others, and after, because accents come off.
  return lookOf(lookOf(clean(name)).normalize("NFKD").replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, ""))
    .toLowerCase()
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replaceAll(/[i1|!]/g, "l")
    .replaceAll("0", "o")
    .replaceAll(/[^\p{L}\p{N}\p{S}]/gu, "");
}

/** Whether letters of several alphabets that look alike stand in one word. */
export function mixesAlphabets(name: string): boolean {
  return clean(name)
    .split(/[^\p{L}\p{M}]+/u)
    .some((word) => [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u].filter((alphabet) => alphabet.test(word)).length > 1);
}

/** Some endings of names of hosts are words as well: before these stands more than an abbreviation. */
const WEB_ADDRESS =
  /:\/\/|\bwww\.|\bt\.me\/|[\p{L}\p{N}-]{2}\.(?:ai|app|bet|cash|cc|click|com|dev|eth|finance|gg|info|io|link|network|online|org|ru|shop|site|vip|win|xyz)\b|[\p{L}\p{N}-]{4}\.(?:co|fi|fun|live|me|net|pro|to|top|us)\b/iu;

/** Whether it holds a web address: tokens with such names are sent to lead people to fake pages. */
export const namesWebAddress = (name: string): boolean => WEB_ADDRESS.test(clean(name).normalize("NFKC").replaceAll("。", "."));

/** Whether it holds what is not shown of it. */
export const hidesSomething = (name: string): boolean => clean(name) !== name.trim();
