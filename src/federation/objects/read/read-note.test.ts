import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeDocument } from '../../wire/normalize.ts'
import { InvalidDocumentError } from '../../wire/invalid-document-error.ts'
import { visibilityOf } from '../audience.ts'
import { readNote } from './read-note.ts'

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'
const NOW = new Date('2026-11-20T12:00:00Z')
const ID = 'https://a.example/notes/1'
const AUTHOR = 'https://a.example/users/ann'

const read = (more: object) =>
  readNote(
    normalizeDocument({ id: ID, type: 'Note', attributedTo: AUTHOR, to: PUBLIC, content: '<p>hi</p>', ...more }),
    {
      now: NOW,
    },
  )

test('all properties of a note are read', () => {
  const note = read({
    type: 'Note',
    to: [PUBLIC],
    cc: [`${AUTHOR}/followers`, 'https://b.example/users/bob'],
    content: '<p>Hello <a href="https://b.example/@bob" class="u-url mention">@bob</a></p>',
    contentMap: { de: '<p>Hello <a href="https://b.example/@bob" class="u-url mention">@bob</a></p>' },
    summary: ' a warning ',
    sensitive: true,
    inReplyTo: 'https://b.example/notes/5',
    published: '2026-01-03T10:00:00Z',
    updated: '2026-01-04T10:00:00.5+01:00',
    url: 'https://a.example/@ann/1',
    conversation: 'tag:a.example,2026-01-03:objectId=1:objectType=Conversation',
    attachment: [
      { type: 'Link', href: 'https://news.example/1' },
      {
        type: 'Document',
        mediaType: 'image/jpeg',
        url: 'https://a.example/files/2.jpg',
        name: 'a bird',
        blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
        focalPoint: [0.1, -3],
        width: 1200,
        height: 800,
      },
    ],
    tag: [
      { type: 'Mention', href: 'https://b.example/users/bob', name: '@bob@b.example' },
      { type: 'Hashtag', href: 'https://a.example/tags/birds', name: '#Birds' },
      {
        type: 'Emoji',
        id: 'https://a.example/emojis/1',
        name: ':bird:',
        updated: '2025-01-01T00:00:00Z',
        icon: { type: 'Image', mediaType: 'image/png', url: 'https://a.example/files/bird.png' },
      },
    ],
    replies: { id: `${ID}/replies`, type: 'Collection', totalItems: 3 },
    likes: { type: 'Collection', totalItems: 12 },
    shares: { type: 'Collection', totalItems: 4 },
  })
  assert.deepEqual(note, {
    uri: ID,
    url: 'https://a.example/@ann/1',
    attributedTo: AUTHOR,
    to: [PUBLIC],
    cc: [`${AUTHOR}/followers`, 'https://b.example/users/bob'],
    isDirectMessage: false,
    content:
      '<p>Hello <a href="https://b.example/@bob" class="u-url mention" rel="nofollow noopener" target="_blank">@bob</a></p>',
    spoilerText: 'a warning',
    sensitive: true,
    language: 'de',
    inReplyTo: 'https://b.example/notes/5',
    publishedAt: new Date('2026-01-03T10:00:00Z'),
    updatedAt: new Date('2026-01-04T09:00:00.5Z'),
    mentions: ['https://b.example/users/bob'],
    hashtags: new Map([['birds', 'Birds']]),
    emojis: [
      {
        uri: 'https://a.example/emojis/1',
        shortcode: 'bird',
        imageUrl: 'https://a.example/files/bird.png',
        updatedAt: new Date('2025-01-01T00:00:00Z'),
      },
    ],
    attachedPages: ['https://news.example/1'],
    attachments: [
      {
        type: 'image',
        url: 'https://a.example/files/2.jpg',
        mediaType: 'image/jpeg',
        description: 'a bird',
        blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
        focus: { x: 0.1, y: -1 },
        width: 1200,
        height: 800,
        previewUrl: null,
      },
    ],
    poll: null,
    vote: null,
    quote: null,
    quoteRules: { automatic: [], manual: [] },
    conversation: 'tag:a.example,2026-01-03:objectId=1:objectType=Conversation',
    repliesUrl: `${ID}/replies`,
    replyUris: [],
    repliesCount: 3,
    likesCount: 12,
    sharesCount: 4,
  })
})

test('the visibility of a note follows from its audience', () => {
  const followersUrl = `${AUTHOR}/followers`
  const visibility = (to: unknown, cc: unknown = []) => visibilityOf(read({ to, cc }), { followersUrl })
  for (const everyone of [PUBLIC, 'as:Public', 'Public', { id: PUBLIC }]) {
    assert.equal(visibility(everyone), 'public')
    assert.equal(visibility([followersUrl], [everyone]), 'unlisted')
  }
  assert.equal(visibility([followersUrl]), 'private')
  assert.equal(visibility(followersUrl, 'https://b.example/users/bob'), 'private')
  assert.equal(visibility([], followersUrl), 'direct')
  assert.equal(visibility('https://a.example/users/other/followers'), 'direct')
  assert.equal(visibility(null), 'direct')
  assert.equal(visibilityOf(read({ to: followersUrl }), { followersUrl: null }), 'direct')
})

test('hidden recipients are ignored (IN27)', () => {
  const note = read({ to: [], bto: [PUBLIC, 'https://b.example/users/bob'], bcc: 'https://b.example/users/bob' })
  assert.ok(!JSON.stringify(note).includes('bob'))
  assert.deepEqual(note.to, [])
})

test('objects of other types become a title, a summary and a link', () => {
  for (const type of ['Article', 'Page', 'Video', 'Image', 'Audio', 'Event', ['Article', 'BlogPosting']]) {
    const note = read({
      type,
      name: 'A <title>',
      summary: '<p>What it is <b>about</p><script>alert(1)',
      content: '<p>the whole of it</p>',
      contentMap: { fr: '<p>the whole of it</p>' },
      url: [
        { type: 'Link', mediaType: 'video/mp4', href: 'https://a.example/video.mp4' },
        { type: 'Link', mediaType: 'text/html', href: 'https://a.example/watch' },
      ],
    })
    const link = '<a href="https://a.example/watch" rel="nofollow noopener" target="_blank">https://a.example/watch</a>'
    assert.equal(note.content, `<p><strong>A &lt;title&gt;</strong></p><p>What it is <b>about</b></p><p>${link}</p>`)
    assert.deepEqual([note.spoilerText, note.language, note.url], ['', 'fr', 'https://a.example/watch'])
  }
  assert.equal(read({ type: 'Page', name: 'x', url: 'javascript:alert(1)' }).url, ID)
  assert.equal(read({ type: 'Page', name: 'x', content: null, contentMap: { de: null } }).language, 'de')
  const links = ['application/x-bittorrent', 'text/html'].map((mimeType) => ({
    type: 'Link',
    mimeType,
    href: `https://a.example/${mimeType}`,
  }))
  assert.equal(read({ type: 'Video', name: 'x', url: links }).url, 'https://a.example/text/html')
})

test('an object without a note type, an id or an author is refused', () => {
  for (const more of [
    { type: 'Person' },
    { type: 'Create' },
    { type: undefined },
    { id: undefined },
    { id: ['https://a.example/1', 'https://b.example/1'] },
    { id: 'urn:uuid:1' },
    { id: 'javascript:alert(1)' },
    { id: 'https://user@a.example/1' },
    { id: 'https://a.example\\@b.example/1' },
    { id: ' https://a.example/1' },
    { id: `https://a.example/${'x'.repeat(3_000)}` },
    { id: `https://a.example/${'\u5b57'.repeat(1_000)}` },
    { attributedTo: undefined },
    { attributedTo: 5 },
    { attributedTo: [] },
  ]) {
    assert.throws(() => read(more), InvalidDocumentError, JSON.stringify(more))
  }
  assert.equal(
    read({ attributedTo: [{ type: 'Person', id: AUTHOR }, 'https://a.example/channels/1'] }).attributedTo,
    AUTHOR,
  )
})

test('content is sanitised and truncated (IN21)', () => {
  assert.equal(read({ content: '<img src=x onerror=alert(1)><p onclick="x">ok</p>' }).content, '<p>ok</p>')
  assert.ok(read({ content: '<b>'.repeat(300_000) }).content.length <= 32_768)
  assert.ok(read({ content: 'x'.repeat(1_000_000) }).content.length <= 32_768)
  assert.equal(
    read({ content: undefined, contentMap: { en: '<p>only here</p>', de: '<p>nur hier</p>' } }).content,
    '<p>only here</p>',
  )
  assert.equal(read({ content: undefined }).content, '')
})

test('the language is taken from the language map only', () => {
  assert.equal(read({ contentMap: { 'pt-BR': '<p>oi</p>' } }).language, 'pt-BR')
  assert.equal(read({ content: '<p>b</p>', contentMap: { en: '<p>a</p>', de: '<p>b</p>' } }).language, 'de')
  assert.equal(read({ summaryMap: { fr: 'x' } }).language, 'fr')
  assert.equal(read({ contentMap: { xx_bad_: '<p>hi</p>' } }).language, null)
  assert.equal(read({ contentMap: 'en' }).language, null)
  assert.equal(read({}).language, null)
})

test('a content warning may be in a language map only, like the content', () => {
  const { spoilerText, sensitive } = read({ summaryMap: { de: ' Achtung ', en: 'Beware' } })
  assert.deepEqual([spoilerText, sensitive], ['Achtung', true])
  assert.equal(read({ summary: 'Beware', summaryMap: { de: 'Achtung' } }).spoilerText, 'Beware')
  const article = read({ type: 'Article', name: 'Title', summaryMap: { en: '<p>In short</p>' } })
  assert.match(article.content, /<p>In short<\/p>/)
})

test('a date in the future becomes now, and an invalid date is ignored (IN23)', () => {
  const at = (published: unknown) => read({ published }).publishedAt
  assert.deepEqual(at('9999-12-31T23:59:59Z'), NOW)
  assert.deepEqual(at('2026-11-20T12:00:01Z'), NOW)
  assert.deepEqual(at(['2025-01-01T00:00:00Z', 'x']), new Date('2025-01-01T00:00:00Z'))
  assert.deepEqual(at('2025-01-01T00:00:00'), new Date('2025-01-01T00:00:00Z'))
  assert.deepEqual(at('2025-01-01'), new Date('2025-01-01T00:00:00Z'))
  for (const invalid of [
    '0000-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '+275760-09-13T00:00:00Z',
    '2025-13-41T00:00:00Z',
    'tomorrow',
    12,
    {},
    null,
    `2025-01-01T00:00:00.${'0'.repeat(999)}Z`,
  ]) {
    assert.equal(at(invalid), null, JSON.stringify(invalid))
  }
})

test('only http(s) URLs are accepted, in any form of link (IN23, IN26)', () => {
  for (const url of [
    'https://a.example/page',
    ['https://a.example/page'],
    { type: 'Link', href: 'https://a.example/page' },
    [
      { href: 'https://a.example/file', mediaType: 'video/mp4' },
      { href: 'https://a.example/page', mediaType: 'text/html' },
    ],
    ['javascript:alert(1)', 'data:text/html,x', 'https://a.example/page'],
  ]) {
    assert.equal(read({ url }).url, 'https://a.example/page', JSON.stringify(url))
  }
  for (const url of [
    'javascript:alert(1)',
    'data:text/html,x',
    '//b.example',
    'https://',
    'https://u:p@a.example/',
    7,
    {},
    [[]],
    { href: { href: 7 } },
  ]) {
    assert.equal(read({ url }).url, ID, JSON.stringify(url))
  }
  const note = read({
    inReplyTo: 'javascript:alert(1)',
    tag: [
      { type: 'Mention', href: 'data:text/html,x' },
      { type: 'Emoji', name: ':x:', icon: { url: 'javascript:alert(1)' } },
    ],
    attachment: [{ type: 'Document', mediaType: 'image/png', url: 'data:image/png;base64,AAAA' }],
    replies: { id: 'ftp://a.example/' },
  })
  assert.deepEqual(
    [note.inReplyTo, note.mentions, note.emojis, note.attachments, note.repliesUrl],
    [null, [], [], [], null],
  )
})

test('counters of remote servers are clamped to valid counts (IN22)', () => {
  const count = (totalItems: unknown) => read({ likes: { totalItems } }).likesCount
  assert.deepEqual([1e30, -1, 3.7, -0, 'many', null].map(count), [2_147_483_647, 0, 3, 0, null, null])
  assert.equal(read({ likes: 'https://a.example/likes' }).likesCount, null)
})

test('the id of a remote conversation need not be an http(s) URL', () => {
  assert.equal(read({ context: 'https://a.example/contexts/1' }).conversation, 'https://a.example/contexts/1')
  assert.equal(read({ conversation: 'ostatus:conversation', context: 'x' }).conversation, 'ostatus:conversation')
  for (const odd of [
    'two words',
    'javascript:alert(1)',
    {},
    `tag:${'x'.repeat(3_000)}`,
    `tag:${'\u5b57'.repeat(1_000)}`,
    5,
  ]) {
    assert.equal(read({ conversation: odd }).conversation, null)
  }
})
