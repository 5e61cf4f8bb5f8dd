import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAPER_COLOURS } from '../../../lib/html/paper-colours.ts'
import { errorPage } from '../error/template.ts'
import type { Frame } from './layout.ts'
import { stylesheet } from './stylesheet.ts'

const frame: Frame = {
  locale: 'en',
  siteTitle: 'Meadow',
  domain: 'meadow.example',
  version: '1.2.3',
  csrf: 'token',
  registrations: 'open',
}

test('a page states its language and text direction', () => {
  assert.match(errorPage(frame, { status: 404 }), /<html +lang="en" dir="ltr">/)
})

test('a status code without a text of its own uses that of 400 or 500', () => {
  assert.match(errorPage(frame, { status: 418 }), />418<[\s\S]*Invalid request/)
  assert.match(errorPage(frame, { status: 502 }), />502<[\s\S]*Internal server error/)
})

test('a message about the previous action is announced as a status', () => {
  const page = errorPage({ ...frame, flash: { kind: 'good', text: 'Saved.' } }, { status: 404 })
  assert.match(page, /<p class="notice notice-good" role="status"[^>]*>\s*Saved\.\s*<\/p>/)
})

test('the path of the stylesheet contains a hash of its content, and it loads nothing from other servers', () => {
  assert.match(stylesheet.path, /^\/pages\/style-[\w-]{16}\.css$/)
  assert.match(errorPage(frame, { status: 404 }), new RegExp(`href="${stylesheet.path}"`))
  assert.doesNotMatch(stylesheet.body, /@import|url\(/)
  for (const need of ['light-dark(', 'prefers-reduced-motion', 'forced-colors', ':focus-visible']) {
    assert.ok(stylesheet.body.includes(need), need)
  }
})

test('every custom property that is used is defined', () => {
  const defined = new Set(stylesheet.body.match(/--[\w-]+(?=:)/g))
  for (const [name] of stylesheet.body.matchAll(/(?<=var\()--[\w-]+/g)) assert.ok(defined.has(name), name)
})

test('the bars of the browser have the colour of the page', () => {
  assert.ok(stylesheet.body.includes(`--paper: light-dark(${PAPER_COLOURS.light}, ${PAPER_COLOURS.dark})`))
})

test('a page has the theme that the user has chosen in the web client, also for the bars of the browser', () => {
  const page = errorPage({ ...frame, theme: 'dark' }, { status: 404 })
  assert.match(page, /<html +lang="en" dir="ltr" data-theme="dark">/)
  assert.match(page, /<meta name="color-scheme" content="dark" \/>/)
  assert.equal(page.match(/<meta name="theme-color" content="#171413"/g)?.length, 2)
})
