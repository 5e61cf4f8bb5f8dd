import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeDocument } from '../../wire/normalize.ts'
import { LIMITS } from './limits.ts'
import { readNote } from './read-note.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const ID = 'https://a.example/notes/1'
const AUTHOR = 'https://a.example/users/ann'

const read = (more: object) =>
  readNote(normalizeDocument({ id: ID, type: 'Note', attributedTo: AUTHOR, content: '<p>hi</p>', ...more }), {
    now: NOW,
  })

test('only tags of known types are read, without duplicates and up to a limit (IN21)', () => {
  const { mentions, hashtags, emojis } = read({
    tag: [
      { type: 'Mention', href: AUTHOR },
      { type: 'Mention', href: AUTHOR },
      { type: 'Hashtag', name: 'NoSharp' },
      { type: 'Hashtag', name: '#nosharp' },
      { type: 'Hashtag', name: '# two words' },
      { type: 'Hashtag', name: 'Web 2.0' },
      { type: 'Hashtag', name: '#123' },
      { type: 'Emoji', name: ':a b:', icon: { url: 'https://a.example/1.png' } },
      { type: 'Emoji', name: 'plain', icon: { type: 'Image', url: { href: 'https://a.example/1.png' } } },
      { type: 'Emoji', name: `:${'x'.repeat(5_000)}:`, icon: { url: 'https://a.example/1.png' } },
      { type: 'Odd', href: AUTHOR },
      'text',
    ],
  })
  assert.deepEqual(mentions, [AUTHOR])
  assert.deepEqual(
    [...hashtags],
    [
      ['nosharp', 'NoSharp'],
      ['twowords', 'twowords'],
      ['web20', 'Web20'],
    ],
  )
  assert.deepEqual(
    emojis.map(({ shortcode }) => shortcode),
    ['plain'],
  )
  const many = Array.from({ length: 10_000 }, (_, n) => ({ type: 'Mention', href: `${AUTHOR}${n}` }))
  assert.equal(read({ tag: many }).mentions.length, LIMITS.tags)
  const names = Array.from({ length: 10_000 }, (_, n) => `${AUTHOR}${n}`)
  assert.equal(read({ to: names }).to.length, LIMITS.recipients)
})
