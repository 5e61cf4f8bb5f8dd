import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../html/html.ts'
import { findMessage, markup, message } from './message.ts'

test('a message follows the plural rules and the digits of its language', () => {
  const replies = (locale: 'en' | 'de' | 'ar', count: number) => message(locale, 'post.replies', { count })
  assert.deepEqual([replies('en', 1), replies('en', 1_234)], ['1 reply', '1,234 replies'])
  assert.deepEqual([replies('de', 1), replies('de', 1_234)], ['1 Antwort', '1.234 Antworten'])
  const arabic = [0, 1, 2, 3, 11, 100].map((count) => replies('ar', count).replace(/[\d\u0660-\u0669]+ /, ''))
  assert.deepEqual(arabic, ['لا ردود', 'رد واحد', 'ردّان', 'ردود', 'ردًا', 'رد'])
})

test('markup escapes the message and its values, keeps safe HTML, and passes tags to the template', () => {
  const name = '<b>&"'
  assert.equal(markup('en', 'profile.moved', { name }).toString(), '&lt;b&gt;&amp;&quot; has moved to a new account:')
  assert.equal(markup('en', 'consent-done.go', { app: html`<b>Elk</b>` }).toString(), 'Continue to <b>Elk</b>')
  const link = (words: Parameters<typeof html>[1]) => html`<a href="/x">${words}</a>`
  assert.equal(markup('de', 'sign-in.instead', { link }).toString(), 'Neu hier? <a href="/x">Konto erstellen</a>')
  assert.equal(
    markup('en', 'aliases.remove', { account: '<i>', unseen: (words) => html`<span>${words}</span>` }).toString(),
    'Remove<span> &lt;i&gt;</span>',
  )
})

test('a value is isolated from the surrounding right-to-left text and cannot reorder it', () => {
  assert.equal(message('ar', 'mail.go', { site: 'a\u202eb.example' }), 'الانتقال إلى \u2068ab.example\u2069')
  assert.equal(message('en', 'mail.go', { site: 'b.example' }), 'Go to b.example')
  assert.equal(markup('ar', 'about.heading', { site: '<b>' }).toString(), 'عن <bdi>&lt;b&gt;</bdi>')
})

test('an arbitrary id is found only if there is such a message', () => {
  assert.equal(findMessage('de', 'problem.ERR_TOO_LONG'), 'Das ist zu lang.')
  assert.equal(findMessage('de', 'problem.ERR_ODD'), null)
  assert.equal(findMessage('de', 'scope.toString'), null)
})

test('a misspelt id and a missing, misspelt, superfluous or mistyped value do not compile', () => {
  // Only for the compiler: `npm run check` fails if an expected error does not occur.
  const mistakes = () => {
    // @ts-expect-error: the id is misspelt
    message('en', 'sign-in.titel')
    // @ts-expect-error: the language has no catalogue
    message('tlh', 'sign-in.title')
    // @ts-expect-error: the value is missing
    message('en', 'mail.go')
    // @ts-expect-error: the name of the value is misspelt
    message('en', 'mail.go', { sight: 'a' })
    // @ts-expect-error: the message takes no value
    message('en', 'sign-in.title', { site: 'a' })
    // @ts-expect-error: a plural takes a number
    message('en', 'post.replies', { count: '1' })
    // @ts-expect-error: plain text takes no markup
    message('en', 'mail.go', { site: html`a` })
    // @ts-expect-error: a tag has no form in plain text
    message('en', 'sign-in.instead', { link: String })
    // @ts-expect-error: one of the candidates takes a name
    message('en', Math.random() > 1 ? 'push.title.annual_report' : 'push.title.poll')
  }
  assert.equal(typeof mistakes, 'function')
})
