import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }
const CODE_POINTS = 0x110000

const indexOf = (codePoint: number) => (codePoint < SURROGATES.first ? codePoint : codePoint - SURROGATES.count)
const codePointAt = (index: number) => (index < SURROGATES.first ? index : index + SURROGATES.count)

/**
 * Any code point: the characters of `fc.string({ unit: 'binary' })`, for which fast-check creates a map of all million
 * code points, in a second and 100 MB.
 */
export const CODE_POINT: fc.Arbitrary<string> = fc
  .nat({ max: CODE_POINTS - SURROGATES.count - 1 })
  .map((index) => String.fromCodePoint(codePointAt(index)), indexOfText)

/** The inverse, by which fast-check simplifies texts. @throws Error for other values */
function indexOfText(text: unknown): number {
  const codePoint = typeof text === 'string' && text.isWellFormed() ? text.codePointAt(0) : undefined
  if (codePoint === undefined || String.fromCodePoint(codePoint) !== text) throw new Error('Not a code point')
  return indexOf(codePoint)
}
