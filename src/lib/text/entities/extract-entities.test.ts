import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { extractEntities, extractHashtags, extractMentions, extractUrls } from './extract-entities.ts'
import { assertCpuTimeBelowLimit, entityTexts } from '../../../../test/text/text-samples.ts'

/** Texts with the entities that are recognised in them. */
type Cases = [text: string, ...found: string[]][]

const URLS: Cases = [
  ['see https://example.com/a?b=c#d.', 'https://example.com/a?b=c#d'],
  ['HTTPS://EXAMPLE.COM/X', 'HTTPS://EXAMPLE.COM/X'],
  ['http://a#b', 'http://a#b'],
  ['http://localhost:3000/@a', 'http://localhost:3000/@a'],
  ['http://[::1]:3000/x and http://[::ffff:1.2.3.4]/y', 'http://[::1]:3000/x', 'http://[::ffff:1.2.3.4]/y'],
  ['(https://en.wikipedia.org/wiki/Diaspora_(software))', 'https://en.wikipedia.org/wiki/Diaspora_(software)'],
  ['https://en.wikipedia.org/wiki/Diaspora_(software).', 'https://en.wikipedia.org/wiki/Diaspora_(software)'],
  ['https://a.example/(x[y]z)] end', 'https://a.example/(x[y]z)'],
  ['[text](https://a.example/c)', 'https://a.example/c'],
  ['"https://a.example/c" \'https://a.example/d\'', 'https://a.example/c', 'https://a.example/d'],
  ['<https://a.example/c>', 'https://a.example/c'],
  ['really https://a.example/c!? yes', 'https://a.example/c'],
  ['https://a.example/c… https://a.example/d...', 'https://a.example/c', 'https://a.example/d'],
  ['*https://a.example/c*, **https://a.example/d**', 'https://a.example/c', 'https://a.example/d'],
  ['https://a.example/?q=1&r=', 'https://a.example/?q=1&r='],
  ["https://a.example/it's", "https://a.example/it's"],
  ['https://example.com. https://example.com./x', 'https://example.com', 'https://example.com./x'],
  ['https://example.com:8080, https://example.com: x', 'https://example.com:8080', 'https://example.com'],
  ['https://web.archive.org/web/1/https://a.example/', 'https://web.archive.org/web/1/https://a.example/'],
  ['https://https://a.example/c', 'https://a.example/c'],
  ['https://nic.みんな/', 'https://nic.みんな/'],
  ['https://日本語.jp/あ', 'https://日本語.jp/あ'],
  ['https://bücher.example/ünter', 'https://bücher.example/ünter'],
  ['https://💩.la/ https://example.com😀', 'https://💩.la/', 'https://example.com'],
  ['https://ja.wikipedia.org/wiki/日本', 'https://ja.wikipedia.org/wiki/日本'],
  ['詳しくはhttps://example.comを見て', 'https://example.com'],
  ['https://example.com/を見て。', 'https://example.com/を見て'],
  ['https://example.com。次', 'https://example.com'],
  ['「https://example.org/」', 'https://example.org/'],
  ['https://example.cn/x，然后', 'https://example.cn/x'],
  ['https://example.jp/x（説明）', 'https://example.jp/x'],
  ['https://example.com/　abc', 'https://example.com/'],
  [
    'gemini://x.example/ dat://abc.example ipfs://bafybei/a',
    'gemini://x.example/',
    'dat://abc.example',
    'ipfs://bafybei/a',
  ],
  ['write xmpp:user@instance.example.', 'xmpp:user@instance.example'],
  ['join xmpp:muc@instance.example?join now', 'xmpp:muc@instance.example?join'],
  [
    'magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a',
    'magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a',
  ],
  ['http://example.com/b<del>b</del>', 'http://example.com/b'],
]
const NO_URLS = [
  'example.com',
  'www.example.com',
  'foohttp://example.com',
  'mailto:a@b.example',
  'javascript://example.com/%0aalert(1)',
  'https://',
  'https:// example.com',
  'https://user:password@example.com/',
  'https://example.com@evil.example/',
  'http://www\\.example\\.com',
  'https://日本語',
  'https://-/',
  'https://example.com:99999/',
  'https://[::]/ https://[zz]/',
  'xmpp: xmpp:word magnet:?dn=name magnet:',
  `https://example.com/${'a'.repeat(4096)}`,
  `https://${'a'.repeat(300)}.example/`,
]

test('a URL needs a scheme and ends before punctuation and text of another script', () => {
  for (const [text, ...found] of URLS)
    assert.deepEqual(
      extractUrls(text).map(({ url }) => url),
      found,
      text,
    )
})

test('text that only resembles a URL is not recognised', () => {
  for (const text of NO_URLS) assert.deepEqual(extractUrls(text), [], text)
})

const MENTIONS: Cases = [
  ['@alice', '@alice'],
  ['hi @Alice_1, and @bob.', '@Alice_1', '@bob'],
  ['@user@host.', '@user@host'],
  ['@user@example.com.', '@user@example.com'],
  ['(@user@sub.example.com)', '@user@sub.example.com'],
  ['@a.b-c@example.com', '@a.b-c@example.com'],
  ['@user@日本語.jp @user@xn--wgv71a119e.jp', '@user@日本語.jp', '@user@xn--wgv71a119e.jp'],
  ['@userさん', '@user'],
  ['ok.@bob', '@bob'],
  ['"@bob" \n@carol', '@bob', '@carol'],
  ['@bob@localhost:3000.', '@bob@localhost:3000'],
  ['@bob@example.com: hello', '@bob@example.com'],
  ['@bob@example.com/path', '@bob@example.com'],
  ['@bob@example.com-', '@bob@example.com'],
]
const NO_MENTIONS = [
  'mail user@example.com',
  'first.last+tag@example.com',
  'https://example.com/@user https://example.com/@user@other.example',
  'xmpp:user@example.com',
  'a/@bob x=@bob',
  '@ @@ @-a @.a',
  '@a@b@c',
  '@user@',
  '@user://x @user@host://x',
  '@andré',
  '@ひとみ',
  'é@bob',
  `@bob@${'a.'.repeat(127)}example`,
]

test('a separate handle is a mention', () => {
  for (const [text, ...found] of MENTIONS) {
    assert.deepEqual(
      extractMentions(text).map(({ start, end }) => text.slice(start, end)),
      found,
      text,
    )
  }
  assert.deepEqual(extractMentions('hi @Bob@Example.com!'), [
    { type: 'mention', username: 'Bob', domain: 'Example.com', start: 3, end: 19 },
  ])
  assert.deepEqual(extractMentions('@bob'), [{ type: 'mention', username: 'bob', domain: null, start: 0, end: 4 }])
})

test('an e-mail address, a part of a URL and an invalid handle are not mentions', () => {
  for (const text of NO_MENTIONS) assert.deepEqual(extractMentions(text), [], text)
})

const HASHTAGS: Cases = [
  ['#a, #b.c', '#a', '#b'],
  ['#rubyOnRails #3d #l33t #_test #test_ #1_2', '#rubyOnRails', '#3d', '#l33t', '#_test', '#test_', '#1_2'],
  ['testing #ぼっち・ざ・ろっく', '#ぼっち・ざ・ろっく'],
  ['#one·two·three· #one・', '#one·two·three', '#one'],
  ['just add #نرم‌افزار and', '#نرم‌افزار'],
  ['＃ｆｏｏ　#日本語', '＃ｆｏｏ', '#日本語'],
  ['non-break\u00a0#foo\n#bar', '#foo', '#bar'],
  ['#हिन्दी #ภาษาไทย #한국어', '#हिन्दी', '#ภาษาไทย', '#한국어'],
  ['#tag👨‍👩‍👧 #café\u0301', '#tag', '#café\u0301'],
  ['#日本https://example.com/', '#日本'],
  ['#foohttps://example.com #barhttp://x', '#foo', '#bar'],
]
const NO_HASHTAGS = [
  '#123 #１２３',
  '# #! #· #・a #_ #️⃣',
  'a#b (#c) "#d" /#e &#39; ##f',
  'https://example.com/#a https://example.com/x?y=#b https://example.org/testé#foo',
  'https://example.com/ä#a',
  '#https://example.com',
  `#${'a'.repeat(256)}`,
]

test('a hashtag starts a word, in any script, with separators only inside', () => {
  for (const [text, ...found] of HASHTAGS) {
    assert.deepEqual(
      extractHashtags(text).map(({ start, end }) => text.slice(start, end)),
      found,
      text,
    )
  }
  assert.deepEqual(extractHashtags('ok ＃Élan'), [{ type: 'hashtag', name: 'elan', display: 'Élan', start: 3, end: 8 }])
})

test('only digits, a # within a word and a fragment of a URL are not hashtags', () => {
  for (const text of NO_HASHTAGS) assert.deepEqual(extractHashtags(text), [], text)
})

test('entities are in order, and their offsets delimit exactly the recognised text', () => {
  fc.assert(
    fc.property(entityTexts, (text) => {
      const entities = extractEntities(text)
      let last = 0
      for (const entity of entities) {
        assert.ok(entity.start >= last && entity.end > entity.start && entity.end <= text.length)
        last = entity.end
        const slice = text.slice(entity.start, entity.end)
        if (entity.type === 'url') assert.equal(slice, entity.url)
        else if (entity.type === 'hashtag') assert.ok(slice === `#${entity.display}` || slice === `＃${entity.display}`)
        else assert.equal(slice, `@${entity.username}${entity.domain === null ? '' : `@${entity.domain}`}`)
      }
      const byType = (type: string) => entities.filter((entity) => entity.type === type)
      assert.deepEqual(byType('url'), extractUrls(text))
      assert.deepEqual(byType('mention'), extractMentions(text))
      assert.deepEqual(byType('hashtag'), extractHashtags(text))
    }),
    { numRuns: 1000 },
  )
})

test('BI7: ten thousand mentions are found', () => {
  assert.equal(extractMentions('@a '.repeat(10_000)).length, 10_000)
})

test('BI16: a hostile text of 100 KB takes less than 50 ms', () => {
  const patterns =
    `@ @a @a@ @a. @a@b. @a-. a. @a:1 # #a #· · #a· #\u0301 @a@b:11111 http:// http://a http://a/) http://a/(
    http://a/. http://a@ http://a: http://a. https://a.. https://😀. https://a😀 xmpp: xmpp:a@ magnet:? magnet:?xt=urn:
    http://[ http://[::1] http://é`.split(/\s+/)
  for (const pattern of [...patterns, ' #a', ' #a://', ' @a']) {
    for (const lead of ['', 'http://a/', 'http://', '@a@', '#a']) {
      const text = lead + pattern.repeat(Math.ceil(100_000 / pattern.length))
      assertCpuTimeBelowLimit(() => extractEntities(text), `${lead}${pattern}…`)
    }
  }
})
