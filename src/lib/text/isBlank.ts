// Default-ignorable code points have no shape of their own: U+200B, U+2060, U+FEFF, U+00AD, U+3164 and the like. U+2800
// is a braille pattern without dots.
const BLANK = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]*$/u

/** Whether a text shows nothing: it is empty, or of white space and invisible characters only. */
export function isBlank(text: string): boolean {
  return BLANK.test(text)
}
