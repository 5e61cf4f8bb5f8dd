import assert from 'node:assert/strict'
import fc from 'fast-check'

// Short fragments in random order: most errors in the detection of entities occur where two of them are adjacent.
const WORDS = `@alice @bob@remote.example @a@b@c @Bob@日本.jp a@b.example @ @@ #tag ＃Élan #ぼっち・ざ #1 # · word Word_1
  https://example.com/a http://a#b https://example.com/w_(x) https:// :// xmpp:a@b.example magnet:?xt=urn:btih:1
  https://日本語.jp gemini://x.y/ . , ) ( ! 。 / = é 日本 👨‍👩‍👧 <b> &amp; " '`
const PIECES = fc.constantFrom(...WORDS.split(/\s+/), ' ', ' ', '\n', '\n\n', '\u3000', '\u0301', '\u200c')

/** Texts with many URLs, mentions, hashtags and similar strings. */
export const entityTexts: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 9, arbitrary: PIECES }, fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 25 })
  .map((pieces) => pieces.join(''))

/** Asserts that the work takes less than 50 ms of processor time of this thread, in the best of three attempts. */
export function assertCpuTimeBelowLimit(work: () => unknown, name: string): void {
  let best = Infinity
  for (let attempt = 0; attempt < 3 && best >= 50; attempt++) {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    best = Math.min(best, (user + system) / 1000)
  }
  assert.ok(best < 50, `${name} took ${best.toFixed(0)} ms`)
}
