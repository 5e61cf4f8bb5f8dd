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

test('the first four attachments that have a URL are read (IN21)', () => {
  const file = (n: number) => ({ type: 'Document', mediaType: 'image/png', url: `https://a.example/${n}.png` })
  const { attachments } = read({
    attachment: Array.from({ length: 10_000 }, (_, n) => (n === 0 ? { type: 'Link' } : file(n))),
  })
  assert.deepEqual(
    attachments.map(({ url }) => url),
    [1, 2, 3, 4].map((n) => `https://a.example/${n}.png`),
  )
  const types = (...all: object[]) => read({ attachment: all }).attachments.map(({ type }) => type)
  assert.deepEqual(
    types(
      { ...file(1), mediaType: 'video/mp4' },
      { ...file(1), mediaType: 'application/pdf' },
      { ...file(1), mediaType: 'image/svg+xml' },
    ),
    ['video', 'unknown', 'unknown'],
  )
  assert.deepEqual(
    types(
      { type: 'Image', url: 'https://a.example/1' },
      { type: 'Audio', url: { type: 'Link', href: 'https://a.example/1.ogg' } },
      {
        type: 'Document',
        url: [{ href: 'https://a.example/1.html', mediaType: 'text/html' }, { href: 'https://a.example/1.webm' }],
      },
      { type: 'Document', url: 'https://a.example/1' },
    ),
    ['image', 'audio', 'video', 'unknown'],
  )
  assert.deepEqual(
    types(
      { type: 'Link', mediaType: 'text/html', href: 'https://a.example/page' },
      { type: 'PropertyValue', name: 'Place', value: 'x' },
      { type: 'Link', mediaType: 'video/mp4', url: 'https://a.example/1.mp4' },
    ),
    ['video'],
  )
  const described = read({ attachment: { ...file(1), summary: 's', name: 'n'.repeat(50_000) } }).attachments[0]!
  assert.equal(described.description, 's')
  assert.equal(
    read({ attachment: { ...file(1), name: 'n'.repeat(50_000) } }).attachments[0]!.description?.length,
    LIMITS.description,
  )
})

test('files without a type are attachments, pages and other objects are not', () => {
  const url = 'https://a.example/1.jpg'
  const { attachments } = read({
    attachment: [{ href: 'https://a.example/page' }, { type: 'Place', url }, { url, name: 'A lake' }],
  })
  assert.deepEqual(
    attachments.map((one) => [one.type, one.url, one.mediaType, one.description]),
    [['image', url, 'image/jpeg', 'A lake']],
  )
})

test('formats that browsers cannot show are unknown attachments', () => {
  const url = 'https://a.example/1'
  const typeOf = (mediaType: string) => read({ attachment: { type: 'Image', mediaType, url } }).attachments[0]!.type
  for (const odd of ['image/tiff', 'image/heic', 'image/jxl', 'video/x-msvideo', 'audio/midi', 'image/', 'text/html']) {
    assert.equal(typeOf(odd), 'unknown', odd)
  }
  for (const mediaType of ['image/jpg', 'IMAGE/AVIF', 'image/png ; q=1', 'video/quicktime', 'audio/x-m4a', 'image']) {
    assert.equal(typeOf(mediaType), mediaType.slice(0, 5).toLowerCase(), mediaType)
  }
})

test('expensive or invalid blurhashes and implausible sizes are ignored', () => {
  const one = (more: object) =>
    read({ attachment: { type: 'Image', url: 'https://a.example/1.png', ...more } }).attachments[0]!
  assert.equal(
    one({ blurhash: 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH' }).blurhash,
    'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
  )
  for (const bad of [
    '',
    'short',
    `~${'x'.repeat(165)}`,
    'LEHV6nWB2yk8pyo0adR*.7kCMdn',
    'LEHV6nWB2yk8pyo0adR*.7kCMd€j',
    5,
  ]) {
    assert.equal(one({ blurhash: bad }).blurhash, null)
  }
  assert.deepEqual(
    [one({ width: -1 }).width, one({ width: 1e30 }).width, one({ width: '5' }).width, one({ width: 1.9 }).width],
    [null, null, null, 1],
  )
  assert.deepEqual([one({ focalPoint: ['a', 1] }).focus, one({ focalPoint: [1] }).focus], [null, null])
})
