import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { FieldError } from '../../lib/errors.ts'
import { raw } from '../../lib/html.ts'
import { checkMailPage } from './check-mail.ts'
import { confirmedPage } from './confirmed.ts'
import { consentDonePage } from './consent-done.ts'
import { consentPage } from './consent.ts'
import { mailListPage, mailPage } from './dev-mail.ts'
import { errorPage } from './error.ts'
import { forgottenPage, letterSentPage, newPasswordPage } from './forgotten-password.ts'
import { landingPage } from './landing.ts'
import type { Frame } from './layout.ts'
import { aliasesPage, migrationPage } from './moving.ts'
import { nativeCodePage } from './native-code.ts'
import { pendingPage } from './pending.ts'
import type { Person } from './person.ts'
import { deletionPage, emailPage, farewellPage, settingsPage } from './settings.ts'
import { setupPage } from './setup.ts'
import { signInPage } from './sign-in.ts'
import { signUpPage } from './sign-up.ts'
import { signedInPage } from './signed-in.ts'
import { stylesheet } from './stylesheet.ts'

/** Breaks out of text, of both kinds of quotes and of a comment, and turns the direction of what follows. */
const HOSTILE = `ev\u202eil"'>--><script>alert(1)</script><img src=x onerror=alert(2)>&lt;\u2067`
/** The same without direction, where the text is our own or the administrator's. */
const STRAIGHT = HOSTILE.replace(/[\u202e\u2067]/g, '')
const HOSTILE_URL = `javascript:alert("1")//'><script>`

const now = new Date('2026-05-14T12:00:00Z')
const person: Person = {
  name: HOSTILE,
  handle: `${HOSTILE}@${HOSTILE}`,
  url: HOSTILE_URL,
  avatar: HOSTILE_URL,
  emojis: [{ shortcode: HOSTILE, url: HOSTILE_URL }],
}
const frame: Frame = {
  lang: HOSTILE,
  siteTitle: HOSTILE,
  domain: HOSTILE,
  version: STRAIGHT,
  sourceUrl: HOSTILE_URL,
  csrf: STRAIGHT,
  registrations: 'open',
  flash: { kind: 'alert', text: HOSTILE },
  links: [{ text: HOSTILE, url: HOSTILE_URL }],
}
const inside: Frame = { ...frame, viewer: person }
const errors: FieldError[] = ['username', 'email', 'password', 'date_of_birth', 'reason', 'agreement', STRAIGHT].map(
  (attribute) => ({ attribute, code: STRAIGHT, text: STRAIGHT }),
)
const mail = {
  id: HOSTILE,
  to: HOSTILE,
  from: HOSTILE,
  subject: HOSTILE,
  at: now,
  text: `${HOSTILE} https://a.example/${HOSTILE}`,
}
const media = (['image', 'gifv', 'video', 'audio', 'unknown'] as const).map((kind) => ({
  kind,
  url: HOSTILE_URL,
  preview: kind === 'video' ? HOSTILE_URL : null,
  description: HOSTILE,
  blurhash: HOSTILE,
}))
const post = {
  id: '1',
  url: HOSTILE_URL,
  at: now,
  author: person,
  warning: HOSTILE,
  sensitive: true,
  content: raw('<p>clean</p>'),
  language: HOSTILE,
  emojis: [{ shortcode: 'x', url: HOSTILE_URL }],
  media,
  poll: {
    options: [
      { title: HOSTILE, votes: 1 },
      { title: HOSTILE, votes: null },
    ],
    votes: 2,
    ended: true,
  },
  replies: 1,
  boosts: 2,
  favourites: 3_000,
}
const landing = {
  description: HOSTILE,
  people: 1,
  posts: 2,
  active: 3,
  contact: person,
  picture: { url: HOSTILE_URL, description: HOSTILE },
  newest: [post, { ...post, id: '2', warning: '', sensitive: false, author: { name: ' ', handle: 'plain' } }],
  now,
}
const consent = {
  app: { name: HOSTILE, website: HOSTILE_URL },
  redirectUri: HOSTILE_URL,
  scopes: ['read', 'write', 'follow', 'push', 'admin:read', STRAIGHT],
  account: person,
  parameters: { client_id: HOSTILE, state: HOSTILE, code_challenge: null, [HOSTILE]: HOSTILE },
  returnTo: HOSTILE_URL,
}
const signUp = {
  values: { username: HOSTILE, email: HOSTILE, reason: HOSTILE, date_of_birth: HOSTILE, agreement: true },
  errors,
  rules: [{ text: HOSTILE, hint: HOSTILE }],
  minimumAge: 16,
  privacyUrl: HOSTILE_URL,
  termsUrl: HOSTILE_URL,
}

const ownErrors: FieldError[] = ['acct', 'email', 'current_password', 'password', STRAIGHT].map((attribute) => ({
  attribute,
  code: STRAIGHT,
  text: STRAIGHT,
}))
const aliases = [
  { uri: HOSTILE_URL, person },
  { uri: HOSTILE, person: null },
]

const pages: Record<string, string> = {
  landing: landingPage(frame, landing),
  'landing, signed in': landingPage(inside, landing),
  'landing, closed and empty': landingPage(
    { ...frame, registrations: 'none' },
    { ...landing, description: '', newest: [] },
  ),
  'landing, on approval': landingPage({ ...frame, registrations: 'approved' }, landing),
  'sign-up': signUpPage(frame, signUp),
  'sign-up, on approval': signUpPage({ ...frame, registrations: 'approved' }, signUp),
  'sign-up, invited': signUpPage(
    { ...frame, registrations: 'none' },
    { ...signUp, invite: { code: HOSTILE, by: person } },
  ),
  'sign-up, closed': signUpPage({ ...frame, registrations: 'none' }, signUp),
  'check mail': checkMailPage(frame, { email: HOSTILE, resent: true, newEmail: HOSTILE, errors }),
  confirmed: confirmedPage(frame, { pending: false, app: { name: HOSTILE, url: HOSTILE_URL } }),
  'confirmed, pending': confirmedPage(frame, { pending: true }),
  'sign-in': signInPage(frame, {
    login: HOSTILE,
    problem: 'failed',
    next: HOSTILE_URL,
    appName: HOSTILE,
    resetUrl: HOSTILE_URL,
  }),
  consent: consentPage(inside, consent),
  'consent done': consentDonePage(inside, { appName: HOSTILE, decision: 'allow', redirectTo: HOSTILE_URL }),
  'consent denied, by form': consentDonePage(inside, {
    appName: HOSTILE,
    decision: 'deny',
    redirectTo: HOSTILE_URL,
    post: { [HOSTILE]: HOSTILE },
  }),
  settings: settingsPage(inside, { changed: true, errors: ownErrors }),
  'e-mail address': emailPage(inside, { present: HOSTILE, sent: true, value: HOSTILE, errors: ownErrors }),
  aliases: aliasesPage(inside, { aliases, done: 'added', value: HOSTILE, errors: ownErrors }),
  'aliases, none': aliasesPage(inside, { aliases: [] }),
  migration: migrationPage(inside, {
    movedTo: null,
    pauseDays: 30,
    done: 'cancelled',
    value: HOSTILE,
    errors: ownErrors,
  }),
  'migration, done': migrationPage(inside, { movedTo: person, pauseDays: 30, done: 'done' }),
  deletion: deletionPage(inside, { errors: ownErrors }),
  farewell: farewellPage(frame),
  'forgotten password': forgottenPage(frame, { value: HOSTILE, errors: ownErrors }),
  'letter sent': letterSentPage(frame),
  'new password': newPasswordPage(frame, { token: HOSTILE, errors: ownErrors }),
  'native code': nativeCodePage(inside, { code: STRAIGHT, appName: HOSTILE }),
  setup: setupPage(frame, { token: HOSTILE, values: { username: HOSTILE, email: HOSTILE }, errors }),
  'mail list': mailListPage(inside, { mails: [mail], now }),
  mail: mailPage(inside, { mail, origin: 'https://a.example' }),
  'error 404': errorPage(frame, { status: 404, reference: STRAIGHT }),
  'error 500': errorPage(inside, { status: 500 }),
  pending: pendingPage(inside, { email: HOSTILE, confirmed: false, reason: HOSTILE }),
  'signed in': signedInPage(inside, {
    account: person,
    serverAddress: STRAIGHT,
    clients: [{ name: HOSTILE, url: HOSTILE_URL }],
    keptMail: 1,
  }),
}

type Element = { tag: string; attributes: Map<string, string>; inside: Element[]; words: string }
type Page = { elements: Element[]; texts: { words: string; inside: Element[] }[] }

const TURNING = /[\u202a-\u202e\u2066\u2067]/
const VOID = new Set(['meta', 'link', 'img', 'input', 'path', 'rect', 'wbr'])
const TAGS = new Set(
  `a article bdi blockquote body button code dd details div dl dt figcaption figure footer form h1 h2 h3 head header html img
  input label li link main meta nav ol p path rect section span strong summary svg textarea time title ul wbr`.split(
    /\s+/,
  ),
)
const ATTRIBUTES = new Set(
  `action alt aria-describedby aria-hidden aria-invalid aria-label aria-labelledby autocapitalize autocomplete autofocus charset
  checked class content d datetime decoding dir fill-rule focusable for height href http-equiv id lang loading maxlength media
  method minlength name open pattern property readonly rel required role rows rx spellcheck src tabindex title type value viewBox
  width`.split(/\s+/),
)
const MARKUP = /<!doctype html>|<(\/?)([a-z0-9]+)((?:\s+[\w-]+(?:="[^"<>]*")?)*)\s*\/?>|([^<>]+)/gy

/** Reads a page strictly: whatever is not one of our own tags, closed in order, fails. */
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

for (const [name, page] of Object.entries(pages)) {
  suite(`the page “${name}”`, () => {
    const { elements, texts } = read(page)
    const every = (...tags: string[]) => elements.filter(({ tag }) => tags.includes(tag))
    const ids = elements.flatMap(({ attributes }) => attributes.get('id') ?? [])

    test('holds nothing that somebody wrote as markup, in text or attribute (HT4, OA7)', () => {
      assert.match(page, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/, 'the hostile text is there, as text')
      for (const { tag, attributes } of elements) {
        for (const attribute of attributes.keys()) assert.ok(ATTRIBUTES.has(attribute), `<${tag} ${attribute}>`)
      }
    })

    test('leads to no address that runs a script (HT2)', () => {
      for (const { attributes } of elements) {
        for (const attribute of ['href', 'src', 'action']) {
          assert.doesNotMatch(attributes.get(attribute) ?? '', /^\s*javascript:/i)
        }
        assert.doesNotMatch(attributes.get('content') ?? '', /url=\s*javascript:/i)
      }
    })

    test('lets no name turn the text around it (HT8, OA7)', () => {
      for (const { words, inside } of texts) {
        if (!TURNING.test(words)) continue
        const outer = inside.find(({ tag, attributes }) => tag === 'bdi' || attributes.get('dir') === 'auto')
        assert.equal(outer?.attributes.get('dir'), 'auto', `in <${inside.at(-1)?.tag}>: ${words}`)
      }
    })

    test('has one first heading, a title, a language, and a way past the head', () => {
      assert.equal(every('h1').length, 1)
      assert.equal(every('main').length, 1)
      assert.ok(every('title')[0]?.words)
      assert.deepEqual(
        every('html')[0]?.attributes,
        new Map([
          ['lang', 'en'],
          ['dir', 'ltr'],
        ]),
      )
      assert.ok(elements.some(({ attributes }) => attributes.get('href') === '#main'))
      assert.ok(ids.includes('main'))
    })

    test('ties every input to its label, and every reference to its target', () => {
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

    test('says what every picture shows, or that it is decoration', () => {
      for (const { attributes } of every('img')) assert.ok(attributes.has('alt'))
      for (const { attributes } of every('svg')) assert.equal(attributes.get('aria-hidden'), 'true')
    })

    test('sends the token with every form to this server (OA7, OA9)', () => {
      for (const form of every('form')) {
        assert.equal(form.attributes.get('method'), 'post')
        if (!form.attributes.get('action')?.startsWith('/')) continue
        assert.ok(
          elements.some(({ attributes, inside }) => inside.includes(form) && attributes.get('name') === 'csrf'),
          form.attributes.get('action') ?? '',
        )
      }
    })

    test('needs no script and no style of its own', () => {
      const links = every('link').map(({ attributes }) => attributes.get('href'))
      assert.deepEqual(links, ['/favicon.svg', stylesheet.path])
    })
  })
}
