import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raw } from '../../../lib/html/html.ts'
import { emojify, emojifyMarkup } from './emoji.ts'
import { rssFeed } from '../feeds/rss.ts'

const emojis = [{ shortcode: 'linnet', url: 'https://a.example/linnet.png' }]
const image = /<img\s+class="emoji"\s+src="https:\/\/a\.example\/linnet\.png"\s+alt=":linnet:"/

test('a known shortcode becomes an image, and the text around it is escaped', () => {
  const rendered = emojify('<b> :linnet: & :other:', emojis).toString()
  assert.match(rendered, image)
  assert.match(rendered, /^&lt;b&gt; <img/)
  assert.match(rendered, /> &amp; :other:$/)
})

test('an emoji is no higher than a line without the stylesheet, as in feed readers', () => {
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
    reblogs: 0,
    favourites: 0,
    tags: [],
  }
  const feed = { title: 'A', description: 'A', link: '', self: '', image: null, lang: 'en', generator: 'x' }
  assert.match(rssFeed({ ...feed, posts: [post] }), /&lt;img[^>]*class=&quot;emoji&quot;[^>]* height=&quot;20&quot;/)
})

test('a shortcode inside a word or next to another colon stays text', () => {
  for (const text of ['a:linnet:', ':linnet:b', '::linnet:', '10:linnet:20', 'é:linnet:']) {
    assert.doesNotMatch(emojify(text, emojis).toString(), /<img/, text)
  }
})

test('in HTML only text is replaced, never attributes or URLs (HT5)', () => {
  const markup = '<a href="https://b.example/:linnet:/" title="a > :linnet: ">:linnet: &amp;</a>'
  const rendered = emojifyMarkup(raw(markup), emojis).toString()
  assert.ok(rendered.startsWith('<a href="https://b.example/:linnet:/" title="a > :linnet: "><img'))
  assert.ok(rendered.endsWith(' &amp;</a>'))
  assert.equal(rendered.match(/<img/g)?.length, 1)
})

test('the URL of an emoji cannot run a script (HT2)', () => {
  assert.match(emojify(':bad:', [{ shortcode: 'bad', url: 'javascript:1' }]).toString(), /src="about:blank"/)
})
