import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raw } from '../../../lib/html/html.ts'
import { landingPage } from './template.ts'
import type { LandingInput } from './template.ts'
import type { Frame } from '../layout/layout.ts'
import type { Post } from '../post/template.ts'

const frame: Frame = {
  locale: 'en',
  siteTitle: 'Meadow',
  domain: 'meadow.example',
  version: '1',
  csrf: 'token',
  registrations: 'open',
}
const now = new Date('2026-05-14T12:00:00Z')
const post: Post = {
  id: '7',
  url: '/@ada/7',
  at: new Date('2026-05-14T09:00:00Z'),
  author: { name: 'Ada', handle: 'ada@meadow.example', url: '/@ada', avatar: null },
  warning: '',
  sensitive: false,
  content: raw('<p>Hello <a href="https://a.example">there</a></p>'),
  language: 'en',
  replies: 1,
  reblogs: 0,
  favourites: 1_234,
}
const picture = { kind: 'image', url: '/p.webp', preview: '/p-small.webp', description: 'A finch' } as const
const landing = (overrides: Partial<LandingInput> = {}, frameOverrides: Partial<Frame> = {}) =>
  landingPage(
    { ...frame, ...frameOverrides },
    {
      description: 'For birds.',
      counts: { users: 1, statuses: 2_000, activeMonth: 1 },
      trending: [],
      newest: [post],
      url: 'https://meadow.example/',
      preview: { url: 'https://meadow.example/preview.png', description: '' },
      now,
      ...overrides,
    },
  )

test('the links to sign up and log in depend on the registrations and the viewer', () => {
  assert.match(landing(), /href="\/auth\/sign_up">Create account/)
  assert.match(landing({}, { registrations: 'approved' }), /href="\/auth\/sign_up">Request an account/)
  assert.doesNotMatch(landing({}, { registrations: 'none' }), /sign_up/)
  assert.match(landing({}, { registrations: 'none' }), /currently closed/)
  const loggedIn = landing({}, { viewer: post.author })
  assert.match(loggedIn, /<a class="button" href="\/account">Your account/)
  assert.doesNotMatch(loggedIn, /sign_in|sign_up/)
})

test('numbers have the singular or plural of their nouns', () => {
  assert.match(landing(), /<dt>user<\/dt>\s*<dd>1<\/dd>/)
  assert.match(landing(), /<dt>posts<\/dt>\s*<dd>2,000<\/dd>/)
})

test('a post shows its author, its time, its sanitised HTML and its counts', () => {
  const page = landing()
  assert.match(page, /<h3[^>]*><a href="\/@ada"><bdi>Ada<\/bdi><\/a><\/h3>/)
  assert.match(page, /<span class="avatar avatar-initial" aria-hidden="true">A<\/span>/)
  assert.match(page, /<time datetime="2026-05-14T09:00:00\.000Z" title="[^"]+ UTC">3h ago<\/time>/)
  assert.match(
    page,
    /<div class="prose" dir="ltr"\s+lang="en"\s*>\s*<p>Hello <a href="https:\/\/a\.example">there<\/a><\/p>\s*<\/div\s*>/,
  )
  assert.match(page, /1\.2K<\/span\s*><span class="unseen">1,234 favourites/)
})

test('an account without an avatar is shown by the first letter of its name, without leading emojis', () => {
  const letterOf = (name: string) =>
    /avatar-initial"[^>]*>(.*?)</.exec(landing({ newest: [{ ...post, author: { ...post.author, name } }] }))?.[1]
  assert.deepEqual(['Wren', ':blob: wren', ':blob:', ' '].map(letterOf), ['W', 'W', 'A', 'A'])
})

test('the content of a post is hidden behind its content warning', () => {
  const page = landing({ newest: [{ ...post, warning: 'Spiders', media: [picture] }] })
  const [before = '', after = ''] = page.split('</summary>')
  assert.match(before, /<details class="warned">[\s\S]*Spiders/)
  assert.doesNotMatch(before, /Hello|p-small/)
  assert.match(after, /Hello[\s\S]*p-small/)
})

test('a sensitive image is blurred, and the image itself is not loaded before it is revealed', () => {
  const blurhash = 'LEHV6nWB2yk8pyo0adR*.7kCMdnj'
  const page = landing({ newest: [{ ...post, sensitive: true, media: [{ ...picture, blurhash }] }] })
  const [before = '', after = ''] = page.split('</summary>')
  assert.match(before, /<details class="veil">[\s\S]*src="data:image\/bmp;base64,/)
  assert.doesNotMatch(before, /p-small/)
  assert.match(after, /<img\s+src="\/p-small\.webp"\s+alt="A finch"\s+loading="lazy"/)
  assert.doesNotMatch(landing({ newest: [{ ...post, media: [picture] }] }), /class="veil"/)
})

test('an image without a description has a general alt text, and audio is a link', () => {
  const sound = { kind: 'audio', url: '/s.mp3', preview: null, description: 'Dawn' } as const
  const page = landing({ newest: [{ ...post, media: [{ ...picture, description: ' ' }, sound] }] })
  assert.match(page, /alt="Image without alt text"/)
  assert.match(page, /<a class="tile tile-file" href="\/s\.mp3"[\s\S]*Play audio[\s\S]*Dawn/)
})

test('a poll shows the share of each option, and no bar where votes are hidden', () => {
  const options = [
    { title: 'Flax', votes: 3 },
    { title: 'Oats', votes: 1 },
  ]
  const open = landing({ newest: [{ ...post, poll: { options, votes: 4, ended: false } }] })
  assert.match(open, /Flax[\s\S]*75%[\s\S]*width="75%"[\s\S]*Oats[\s\S]*25%[\s\S]*4 votes<\/p>/)
  const hidden = options.map(({ title }) => ({ title, votes: null }))
  assert.doesNotMatch(landing({ newest: [{ ...post, poll: { options: hidden, votes: 4, ended: false } }] }), /<rect/)
})

test('a server that shows its posts to its users only says so', () => {
  assert.match(landing({ newest: null }), /Only users of this server/)
})

test('trending hashtags link to their pages, and without any the section is missing', () => {
  const page = landing({ trending: [{ name: 'Storm', url: 'https://meadow.example/tags/storm' }] })
  assert.match(page, /Trending<\/p>[^]*<a href="https:\/\/meadow\.example\/tags\/storm"><bdi>#Storm<\/bdi>/)
  assert.doesNotMatch(landing(), /Trending/)
})

test('a server without posts says so', () => {
  assert.match(landing({ newest: [] }), /There are no posts yet/)
})

test('the front page may be indexed', () => {
  assert.match(landing(), /<meta name="description" content="For birds\." \/>/)
  assert.doesNotMatch(landing(), /noindex/)
})
