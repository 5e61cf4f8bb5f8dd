import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raw } from '../../../lib/html.ts'
import { emojify, emojifyMarkup } from './emoji.ts'
import { rssFeed } from '../feeds/rss.ts'

const emojis = [{ shortcode: 'linnet', url: 'https://a.example/linnet.png' }]
const image = /<img\s+class="emoji"\s+src="https:\/\/a\.example\/linnet\.png"\s+alt=":linnet:"/

test('a known code becomes a picture, and text around it stays text', () => {
  const shown = emojify('<b> :linnet: & :other:', emojis).toString()
  assert.match(shown, image)
  assert.match(shown, /^&lt;b&gt; <img/)
  assert.match(shown, /> &amp; :other:$/)
})

test('a picture is no higher than a line where there is no stylesheet, as in a reader of feeds', () => {
  const post = {
    id: '1',
    url: 'https://a.example/1',
    at: new Date(0),
    author: { name: 'A', handle: 'a@a.example' },
    warning: '',
    sensitive: false,
    content: raw('<p>:linnet:</p>'),
    emojis,
    replies: 0,
    boosts: 0,
    favourites: 0,
    tags: [],
  }
  const words = { title: 'A', description: 'A', link: '', self: '', image: null, lang: 'en', generator: 'x' }
  assert.match(rssFeed({ ...words, posts: [post] }), /&lt;img[^>]*class=&quot;emoji&quot;[^>]* height=&quot;20&quot;/)
})

test('a code inside a word or beside another colon stays text', () => {
  for (const text of ['a:linnet:', ':linnet:b', '::linnet:', '10:linnet:20', 'é:linnet:']) {
    assert.doesNotMatch(emojify(text, emojis).toString(), /<img/, text)
  }
})

test('in markup only text is touched, never an attribute or an address (HT5)', () => {
  const markup = '<a href="https://b.example/:linnet:/" title="a > :linnet: ">:linnet: &amp;</a>'
  const shown = emojifyMarkup(raw(markup), emojis).toString()
  assert.ok(shown.startsWith('<a href="https://b.example/:linnet:/" title="a > :linnet: "><img'))
  assert.ok(shown.endsWith(' &amp;</a>'))
  assert.equal(shown.match(/<img/g)?.length, 1)
})

test('an emoji cannot bring an address that runs a script (HT2)', () => {
  assert.match(emojify(':bad:', [{ shortcode: 'bad', url: 'javascript:1' }]).toString(), /src="about:blank"/)
})
