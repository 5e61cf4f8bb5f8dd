import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../../test/oracles/random.ts'
import { detectDirection, detectDirectionOfHtml } from './detect-direction.ts'

test('a text has the direction of its first letter', () => {
  for (const text of ['مرحبا', 'שלום and hello', '«۱۲ سلام»', 'ދިވެހި', '𞤀𞤁𞤂', '123 – שלום', '\u200f123']) {
    assert.equal(detectDirection(text), 'rtl', text)
  }
  for (const text of ['hello שלום', 'Привет', '日本語', '¡123 qué!', '\u200e123']) {
    assert.equal(detectDirection(text), 'ltr', text)
  }
})

test('a text without a letter has no direction', () => {
  for (const text of ['', '123', '…', '🚲🔔', '٣']) assert.equal(detectDirection(text), null, text)
})

test('mentions, hashtags, URLs and custom emojis before the words do not determine the direction', () => {
  for (const before of ['@mabel', '@mabel@social.example', '#bread', 'https://social.example/a', ':blob_cat:']) {
    assert.equal(detectDirection(`${before} ما أجمل هذا.`), 'rtl', before)
  }
  assert.equal(detectDirection('#رسائل Hello'), 'ltr')
})

test('mentions and hashtags determine the direction if there are no words', () => {
  assert.equal(detectDirection('@mabel #رسائل'), 'ltr')
  assert.equal(detectDirection('#رسائل @mabel'), 'rtl')
})

test('the direction of HTML depends on its visible text, with any markup of mentions', () => {
  const mention =
    '<span class="h-card"><a href="https://a.example/@mabel" class="u-url mention">@<span>mabel</span></a></span>'
  assert.equal(detectDirectionOfHtml(`<p>${mention} ספרי עוד.</p>`), 'rtl')
  assert.equal(detectDirectionOfHtml(`<p>${mention} tell us more, שלום</p>`), 'ltr')
  assert.equal(
    detectDirectionOfHtml(
      '<p><a href="https://a.example/b"><span class="invisible">https://</span><span>a.example/b</span></a> سلام</p>',
    ),
    'rtl',
  )
})

test('any mix of mentions, hashtags, URLs and digits before the words does not change the direction', () => {
  const random = createRandom(7)
  const parts = ['@otis', '@otis@b.example', '#tag', 'https://b.example/?q=abc', ':cat:', '42', '—', '🥕']
  for (let n = 0; n < 300; n += 1) {
    const before = Array.from({ length: random.between(0, 6) }, () => random.pick(parts)).join(' ')
    const [words, direction] = random.pick([
      ['שלום world', 'rtl'],
      ['salam عالم', 'ltr'],
      ['عالم salam', 'rtl'],
    ] as const)
    assert.equal(detectDirection(`${before} ${words}`), direction, `${before} ${words}`)
  }
})
