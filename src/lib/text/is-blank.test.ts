import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBlank } from './is-blank.ts'

test('a text of invisible characters is blank', () => {
  const invisible = '\u200b \u200c \u200d \u2060 \ufeff \u00ad \u180e \u3164 \u115f \u1160 \uffa0 \u2800 \u034f \ufe0f'
  for (const text of ['', ' ', '\n\t', '\u3000', '\u0007', invisible, ...invisible.split(' '), '\u{e0020}\u{e007f}']) {
    assert.equal(isBlank(text), true, JSON.stringify(text))
  }
})

test('a text with a visible character is not blank', () => {
  for (const text of ['x', '\u200bx', '.', '❤\ufe0f', '👩\u200d👩', '\u0301', '\u0600', 'ㅤa']) {
    assert.equal(isBlank(text), false, JSON.stringify(text))
  }
})
