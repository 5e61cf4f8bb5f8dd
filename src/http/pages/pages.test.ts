import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { samplePages } from '../../../test/http/pages/page-samples.ts'
import { LOCALES } from '../../lib/messages/locales.ts'
import { paths } from './paths.ts'
import { stylesheet } from './layout/stylesheet.ts'

type Element = { tag: string; attributes: Map<string, string>; inside: Element[]; words: string }
type Page = { elements: Element[]; texts: { words: string; inside: Element[] }[] }

const BIDI_CONTROLS = /[\u202a-\u202e\u2066\u2067]/
const VOID = new Set(['base', 'meta', 'link', 'img', 'input', 'path', 'rect', 'wbr'])
const TAGS = new Set(
  `a article audio base bdi blockquote body button code dd del details div dl dt fieldset figcaption figure footer form h1 h2 h3 head header html img
  input ins label legend li link main meta nav noscript ol p path rect script section select option span strong summary svg textarea time title ul video wbr`.split(
    /\s+/,
  ),
)
const ATTRIBUTES = new Set(
  `accept action alt async aria-current aria-describedby aria-hidden aria-invalid aria-label aria-labelledby autocapitalize autocomplete autofocus charset
  checked class content controls d data-nosnippet data-passkey data-passkey-autofill data-passkey-error data-sitekey
  data-without-passkeys datetime decoding defer dir download enctype fill fill-rule focusable for height hidden href http-equiv id inputmode lang loading loop maxlength media
  method min minlength muted name open pattern playsinline poster preload property readonly rel required role rows rx selected spellcheck src tabindex target title type value viewBox
  width`.split(/\s+/),
)
const MARKUP = /<!doctype html>|<(\/?)([a-z0-9]+)((?:\s+[\w-]+(?:="[^"<>]*")?)*)\s*\/?>|([^<>]+)/gy

/** Parses a page strictly: fails for unknown tags, and for tags that are not closed in order. */
function read(page: string): Page {
  const elements: Element[] = []
  const texts: Page['texts'] = []
  const open: Element[] = []
  let end = 0
  for (const [whole, slash, tag, attributes, words] of page.matchAll(MARKUP)) {
    end += whole.length
    if (words !== undefined) {
      texts.push({ words, inside: [...open] })
      for (const element of open) element.words += words
    }
    if (tag === undefined) continue
    assert.ok(TAGS.has(tag), `<${tag}>`)
    if (slash) assert.equal(open.pop()?.tag, tag, `</${tag}> at ${end}`)
    else {
      const pairs = [...(attributes ?? '').matchAll(/([\w-]+)(?:="([^"]*)")?/g)]
      const element = {
        tag,
        attributes: new Map(pairs.map(([, name = '', value = '']): [string, string] => [name, value])),
        inside: [...open],
        words: '',
      }
      elements.push(element)
      if (!VOID.has(tag)) open.push(element)
    }
  }
  assert.equal(end, page.length, `cannot read on at: ${page.slice(end, end + 60)}`)
  assert.deepEqual(open, [])
  return { elements, texts }
}

const pages = LOCALES.flatMap((locale) =>
  Object.entries(samplePages(locale)).map(([name, page]) => ({ locale, name, page })),
)

for (const { locale, name, page } of pages) {
  suite(`the page “${name}” in ${locale}`, () => {
    const { elements, texts } = read(page)
    const every = (...tags: string[]) => elements.filter(({ tag }) => tags.includes(tag))
    const ids = elements.flatMap(({ attributes }) => attributes.get('id') ?? [])

    test('escapes all user input, in texts and attributes (HT4, OA7)', () => {
      assert.match(page, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/, 'the hostile input is shown as text')
      for (const { tag, attributes } of elements) {
        for (const attribute of attributes.keys()) assert.ok(ATTRIBUTES.has(attribute), `<${tag} ${attribute}>`)
      }
    })

    test('contains no URL that runs a script (HT2)', () => {
      for (const { attributes } of elements) {
        for (const attribute of ['href', 'src', 'action', 'poster']) {
          assert.doesNotMatch(attributes.get(attribute) ?? '', /^\s*javascript:/i)
        }
        assert.doesNotMatch(attributes.get('content') ?? '', /url=\s*javascript:/i)
      }
    })

    test('isolates the text direction of names (HT8, OA7)', () => {
      for (const { words, inside } of texts) {
        if (!BIDI_CONTROLS.test(words)) continue
        // Browsers isolate the content of an element with a direction of its own.
        const outer = inside.find(({ tag, attributes }) => tag === 'bdi' || (tag !== 'html' && attributes.has('dir')))
        assert.match(outer?.attributes.get('dir') ?? '', /^(auto|ltr|rtl)$/, `in <${inside.at(-1)?.tag}>: ${words}`)
      }
    })

    test('has one h1, a title, a language, and a skip link', () => {
      assert.equal(every('h1').length, 1)
      assert.equal(every('main').length, 1)
      assert.ok(every('title')[0]?.words)
      assert.deepEqual(
        every('html')[0]?.attributes,
        new Map([
          ['lang', locale],
          ['dir', locale === 'ar' ? 'rtl' : 'ltr'],
        ]),
      )
      const hasHead = every('body')[0]?.attributes.get('class') !== 'bare'
      assert.equal(
        elements.some(({ attributes }) => attributes.get('href') === '#main'),
        hasHead,
      )
      assert.ok(ids.includes('main'))
    })

    test('associates every input with its label, and every reference with its target', () => {
      assert.equal(new Set(ids).size, ids.length, 'ids are unique')
      const labelled = every('label').map(({ attributes }) => attributes.get('for'))
      for (const { attributes } of every('input', 'textarea')) {
        if (attributes.get('type') === 'hidden') continue
        assert.ok(labelled.includes(attributes.get('id')), `a label for ${attributes.get('name')}`)
      }
      for (const { attributes } of elements) {
        const targets = ['for', 'aria-describedby', 'aria-labelledby'].flatMap(
          (key) => attributes.get(key)?.split(' ') ?? [],
        )
        for (const target of targets) assert.ok(ids.includes(target), target)
      }
    })

    test('has alt texts for all images, and hides decorative ones', () => {
      for (const { attributes } of every('img')) assert.ok(attributes.has('alt'))
      for (const { attributes } of every('svg')) {
        if (attributes.get('role') === 'img') assert.ok(attributes.get('aria-label'))
        else assert.equal(attributes.get('aria-hidden'), 'true')
      }
    })

    test('sends a CSRF token with every form to this server (OA7, OA9)', () => {
      for (const form of every('form')) {
        assert.equal(form.attributes.get('method'), 'post')
        if (!form.attributes.get('action')?.startsWith('/')) continue
        // The unsubscribe page needs no log-in: the signed token of the mail replaces the CSRF token.
        const token = form.attributes.get('action') === paths.unsubscribe ? 'token' : 'csrf'
        assert.ok(
          elements.some(({ attributes, inside }) => inside.includes(form) && attributes.get('name') === token),
          form.attributes.get('action') ?? '',
        )
      }
    })

    test('needs no script, except for a captcha, and no style of its own', () => {
      const scripts = every('script').map(({ attributes, words }) => [attributes.get('src'), words])
      assert.deepEqual(scripts, name.startsWith('captcha') ? [['https://js.hcaptcha.com/1/api.js', '']] : [])
      const loaded = every('link').filter(({ attributes }) => !/canonical|alternate/.test(attributes.get('rel') ?? ''))
      const links = loaded.map(({ attributes }) => attributes.get('href'))
      assert.deepEqual(links, ['/pages/icon-48.png', '/pages/icon-192.png', paths.manifest, stylesheet.path])
    })
  })
}
