import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorPage } from '../error/template.ts'
import type { Frame } from './layout.ts'
import { favicon } from './mark.ts'
import { stylesheet } from './stylesheet.ts'

const frame: Frame = {
  locale: 'en',
  siteTitle: 'Meadow',
  domain: 'meadow.example',
  version: '1.2.3',
  csrf: 'token',
  registrations: 'open',
}

test('a language without a catalogue is answered in English, and the page says that it is English', () => {
  assert.match(errorPage(frame, { status: 404 }), /<html lang="en" dir="ltr">/)
})

test('an error without words of its own gets those of its family', () => {
  assert.match(errorPage(frame, { status: 418 }), />418<[\s\S]*Invalid request/)
  assert.match(errorPage(frame, { status: 502 }), />502<[\s\S]*Internal server error/)
})

test('a message of the step before is announced once', () => {
  const page = errorPage({ ...frame, flash: { kind: 'good', text: 'Saved.' } }, { status: 404 })
  assert.match(page, /<p class="notice notice-good" role="status"[^>]*>\s*Saved\.\s*<\/p>/)
})

test('the stylesheet is named by its content and asks nobody else for anything', () => {
  assert.match(stylesheet.path, /^\/pages\/style-[\w-]{16}\.css$/)
  assert.match(errorPage(frame, { status: 404 }), new RegExp(`href="${stylesheet.path}"`))
  assert.doesNotMatch(stylesheet.body, /@import|url\(/)
  for (const need of ['prefers-color-scheme: dark', 'prefers-reduced-motion', 'forced-colors', ':focus-visible']) {
    assert.ok(stylesheet.body.includes(need), need)
  }
})

test('every custom property that is used has a value', () => {
  const defined = new Set(stylesheet.body.match(/--[\w-]+(?=:)/g))
  for (const [name] of stylesheet.body.matchAll(/(?<=var\()--[\w-]+/g)) assert.ok(defined.has(name), name)
})

test('the icon is a picture by itself', () => {
  assert.match(favicon.body, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
  assert.doesNotMatch(favicon.body, /script|href|style/)
})
