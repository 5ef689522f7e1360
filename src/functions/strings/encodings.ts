/** Character encodings by PostgreSQL's names: UTF8 is the database's; LATIN1 and SQL_ASCII are the others that we convert. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { decodeUtf8, encodeUtf8 } from "../../types/utf8.js";
import type { ScalarFunction } from "../function.js";
import { stable } from "./define.js";

type Encoding = "UTF8" | "LATIN1" | "SQL_ASCII";

const known = new Map<string, Encoding>([
  ["utf8", "UTF8"],
  ["unicode", "UTF8"],
  ["latin1", "LATIN1"],
  ["iso88591", "LATIN1"],
  ["sqlascii", "SQL_ASCII"],
]);

/** Encodings that PostgreSQL has and we refuse, as their names compare: lower case, letters and digits only. */
const refused = new Set(
  (
    "abc alt big5 euccn eucjis2004 eucjp euckr euctw gb18030 gbk iso885910 iso885913 iso885914 iso885915 iso885916 " +
    "iso88592 iso88593 iso88594 iso88595 iso88596 iso88597 iso88598 iso88599 johab koi8 koi8r koi8u latin10 latin2 " +
    "latin3 latin4 latin5 latin6 latin7 latin8 latin9 mskanji muleinternal shiftjis shiftjis2004 sjis tcvn tcvn5712 " +
    "uhc vscii win win1250 win1251 win1252 win1253 win1254 win1255 win1256 win1257 win1258 win866 win874 win932 " +
    "win936 win949 win950 windows1250 windows1251 windows1252 windows1253 windows1254 windows1255 windows1256 " +
    "windows1257 windows1258 windows866 windows874 windows932 windows936 windows949 windows950"
  ).split(" "),
);

/** The encoding of that name, `undefined` when PostgreSQL knows none. @throws SqlError 0A000 for one that is not built in */
export function encodingNamed(name: string): Encoding | undefined {
  let plain = "";
  for (const character of name.toLowerCase())
    if ((character >= "a" && character <= "z") || (character >= "0" && character <= "9")) plain += character;
  const encoding = known.get(plain);
  if (encoding === undefined && refused.has(plain))
    throw new SqlError(sqlstate.featureNotSupported, `conversion of encoding "${name}" is not supported`, {
      hint: "The encodings that can be converted are UTF8, LATIN1 and SQL_ASCII.",
    });
  return encoding;
}

function convertFrom(bytes: Uint8Array, name: string): string {
  const encoding = encodingNamed(name);
  if (encoding === undefined)
    throw new SqlError(sqlstate.invalidParameterValue, `invalid source encoding name "${name}"`);
  if (encoding !== "LATIN1") return decodeUtf8(bytes);
  let text = "";
  for (const byte of bytes) {
    if (byte === 0)
      throw new SqlError(sqlstate.characterNotInRepertoire, 'invalid byte sequence for encoding "LATIN1": 0x00');
    text += String.fromCharCode(byte);
  }
  return text;
}

function convertTo(text: string, name: string): Uint8Array {
  const encoding = encodingNamed(name);
  if (encoding === undefined)
    throw new SqlError(sqlstate.invalidParameterValue, `invalid destination encoding name "${name}"`);
  if (encoding !== "LATIN1") return encodeUtf8(text);
  const bytes: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0) as number;
    if (point > 0xff) throw noEquivalent(character);
    bytes.push(point);
  }
  return Uint8Array.from(bytes);
}

function noEquivalent(character: string): SqlError {
  const bytes = [...encodeUtf8(character)].map((byte) => `0x${byte.toString(16).padStart(2, "0")}`).join(" ");
  return new SqlError(
    "22P05",
    `character with byte sequence ${bytes} in encoding "UTF8" has no equivalent in encoding "LATIN1"`,
  );
}

function convertBetween(bytes: Uint8Array, from: string, to: string): Uint8Array {
  return convertTo(convertFrom(bytes, from), to);
}

export const encodingFunctions: readonly ScalarFunction[] = [
  stable("convert_from", ["bytea", "name"], "text", convertFrom, "Bytes in an encoding as text"),
  stable("convert_to", ["text", "name"], "bytea", convertTo, "Text as bytes in an encoding"),
  stable("convert", ["bytea", "name", "name"], "bytea", convertBetween),
];
