// Slow: matches large generated texts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compileFilters } from './compile.ts'
import { markTexts } from './mark-words.ts'

interface Keyword {
  keyword: string
  whole_word: boolean
}

const at = new Date()

const filterOf = (...keywords: Keyword[]) => ({ expiresAt: null, keywords, statusIds: [] })

/** The keyword that each filter reports for a text. */
function report(filters: readonly (readonly Keyword[])[], texts: readonly string[]): (string | null)[] {
  const found = compileFilters(filters.map((keywords) => filterOf(...keywords))).match({
    id: '1',
    text: markTexts(texts),
    at,
  })
  return filters.map((_, n) => found.find(({ place }) => place === n)?.keyword ?? null)
}

const catches = (keyword: string, text: string, whole_word = true): boolean =>
  report([[{ keyword, whole_word }]], [text])[0] !== null

// The same by the book: a pattern for each keyword, tried at each place of each text.
const WORD = String.raw`[[\p{L}\p{M}\p{N}_]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]]`

function patternOf({ keyword, whole_word }: Keyword): RegExp {
  const text = keyword.trim()
  const begins = whole_word && new RegExp(`^${WORD}`, 'v').test(text)
  const ends = whole_word && new RegExp(`${WORD}$`, 'v').test(text)
  return new RegExp(`${begins ? `(?<!${WORD})` : ''}${RegExp.escape(text)}${ends ? `(?!${WORD})` : ''}`, 'iv')
}

function expected(filters: readonly (readonly Keyword[])[], texts: readonly string[]): (string | null)[] {
  return filters.map((keywords) => {
    const hits = texts.flatMap((text, part) =>
      keywords.flatMap((keyword, order) => {
        const hit = patternOf(keyword).exec(text)
        return hit ? [{ part, at: hit.index, order, keyword: keyword.keyword }] : []
      }),
    )
    const [first] = hits.toSorted((a, b) => a.part - b.part || a.at - b.at || a.order - b.order)
    return first?.keyword ?? null
  })
}

const alphabet = ['a', 'A', 'b', 'é', 'É', '_', '1', ' ', '-', '.', '*', '猫', 'カ', 'ー', '🙂']
const textFrom = (constraints: fc.StringConstraints) =>
  fc.string({ unit: fc.constantFrom(...alphabet), ...constraints }).map((text) => text.replace(/ +/g, ' '))
const keywordFrom = textFrom({ minLength: 1, maxLength: 4 }).filter((text) => text.trim() !== '')

test('the filters of a person report just what trying each keyword at each place reports', () => {
  const filters = fc.array(
    fc.array(fc.record({ keyword: keywordFrom, whole_word: fc.boolean() }), { minLength: 1, maxLength: 6 }),
    { minLength: 1, maxLength: 4 },
  )
  const texts = fc.array(textFrom({ maxLength: 25 }), { maxLength: 3 })
  fc.assert(
    fc.property(filters, texts, (some, all) => assert.deepEqual(report(some, all), expected(some, all))),
    { numRuns: 1_000 },
  )
})

test('a whole word is not a part of another one', () => {
  assert.ok(catches('cat', 'A cat, and no dog'))
  assert.ok(catches('cat', 'CAT'))
  assert.ok(catches('cat', '#cat'))
  assert.ok(catches('cat', 'cat-like'))
  for (const text of ['concatenate', 'cats', 'bobcat', 'cat_1', 'cat2', 'cat\u0301', 'écat']) {
    assert.ok(!catches('cat', text), text)
    assert.ok(catches('cat', text.normalize('NFD'), false) || text === 'cat\u0301', text)
  }
})

test('edges that are no part of a word stand anywhere', () => {
  assert.ok(catches('#cat', 'a#cat'))
  assert.ok(!catches('#cat', '#cats'))
  assert.ok(catches('c++', 'c++11'))
  assert.ok(catches('🙂', 'so🙂so'))
  assert.ok(catches('$', 'US$5'))
})

test('what is written without blanks between words is found inside', () => {
  assert.ok(catches('猫', '黒猫が来た'))
  assert.ok(catches('ネコ', 'ネコカフェ'))
  assert.ok(catches('고양이', '고양이가 왔다'))
  assert.ok(catches('แมว', 'มีแมวอยู่'))
  assert.ok(catches('cat', '黒catが'))
  assert.ok(!catches('JR東', 'AJR東日本'))
})

test('upper case, composed accents, kinds of sigma and kinds of blanks make no difference', () => {
  assert.ok(catches('ΟΔΟΣ', 'η οδος μου'))
  assert.ok(catches('οδοσ', 'ΟΔΟΣ'))
  assert.ok(catches('STRASSE', 'die Straße hier'))
  assert.ok(catches('café', 'CAFE\u0301'))
  assert.ok(catches('bad  word', 'a bad\nword'))
  assert.ok(catches(' spoiler ', 'Spoiler!'))
})

test('what is typed is never a pattern', () => {
  assert.ok(!catches('.*', 'anything', false))
  assert.ok(catches('.*', 'in a shell: .*', false))
  assert.ok(catches('(a|b)', 'x(a|b)y', false))
  assert.ok(catches('\\b', 'a \\b c', false))
})

test('no keyword reaches from one text into the next', () => {
  const keyword = { keyword: 'one two', whole_word: false }
  assert.deepEqual(report([[keyword]], ['one', 'two']), [null])
  assert.deepEqual(report([[keyword]], ['one two']), ['one two'])
})

test('a filter reports the keyword that comes first in the text, and one status by itself', () => {
  const filter = {
    expiresAt: null,
    keywords: [
      { keyword: 'two', whole_word: true },
      { keyword: 'one', whole_word: true },
    ],
    statusIds: ['7'],
  }
  const compiled = compileFilters([filter])
  const match = (id: string, text: string) => compiled.match({ id, text: markTexts([text]), at })
  assert.deepEqual(match('1', 'one two'), [{ place: 0, keyword: 'one', byStatus: false }])
  assert.deepEqual(match('7', 'two one'), [{ place: 0, keyword: 'two', byStatus: true }])
  assert.deepEqual(match('7', ''), [{ place: 0, keyword: null, byStatus: true }])
  assert.deepEqual(match('1', ''), [])
})

test('a filter that has expired catches nothing any more', () => {
  const compiled = compileFilters([{ expiresAt: at, keywords: [{ keyword: 'a', whole_word: true }], statusIds: ['1'] }])
  const text = markTexts(['a'])
  assert.equal(compiled.match({ id: '1', text, at: new Date(at.getTime() - 1) }).length, 1)
  assert.equal(compiled.match({ id: '1', text, at }).length, 0)
})

/** Milliseconds of processor time, in the best of three, since the first meets code that is not compiled yet. */
function cpuMs(work: () => unknown): number {
  const once = () => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
  return Math.min(once(), once(), once())
}

test('BI16 a hundred kilobytes take no time, whatever the keywords and however many', () => {
  const size = 100_000
  const long = Array.from(
    { length: 128 },
    (_, n) => `${'a'.repeat(255)}${String.fromCharCode(0x4e00 + n)}${'a'.repeat(256)}`,
  )
  const nested = Array.from({ length: 360 }, (_, n) => 'a'.repeat(n + 1))
  const blanks = Array.from({ length: 128 }, (_, n) => 'a '.repeat(n + 1).trim())
  const distinct = Array.from({ length: 1_000 }, (_, n) => `a${String.fromCharCode(0x4e00 + n)}`)
  const texts = [
    'a'.repeat(size),
    'a '.repeat(size / 2),
    `a${'\u0301\u0323'.repeat(size / 2)}`,
    ' '.repeat(size),
    '_-'.repeat(size / 2),
  ]
  for (const words of [long, nested, blanks, distinct]) {
    // Each in a filter of its own, so that none of them is spared by another that was found.
    const filters = words.flatMap((keyword) => [
      filterOf({ keyword, whole_word: true }),
      filterOf({ keyword, whole_word: false }),
    ])
    const compiled = compileFilters(filters)
    for (const text of texts) {
      const spent = cpuMs(() => compiled.match({ id: '1', text: markTexts([text]), at }))
      assert.ok(spent < 50, `${words[0]?.slice(0, 9)} in ${text.slice(0, 9)}: ${spent} ms`)
    }
  }
})
