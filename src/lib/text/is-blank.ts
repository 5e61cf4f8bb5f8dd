// Default-ignorable code points are invisible, for example U+200B, U+2060, U+FEFF, U+00AD and U+3164. U+2800 is a
// braille pattern without dots.
const BLANK = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]*$/u

/** Returns whether a text is empty or contains only white space and invisible characters. */
export function isBlank(text: string): boolean {
  return BLANK.test(text)
}
