// Slow: drives a browser.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { ATTRIBUTES, ELEMENTS, hostileHtml, MXSS, SCHEMES } from '../../../test/hostile-html.ts'
import { openBrowser } from '../../../test/play/browser.ts'
import { textWithEntities } from '../../../test/texts.ts'
import { formatStatus } from './format.ts'
import { sanitizeHtml } from './sanitize.ts'

const skip = existsSync('/usr/bin/chromium') ? false : 'Chromium is not installed'

/** What a browser made of one piece of HTML. */
interface Reading {
  elements: string[]
  attributes: string[]
  links: string[]
  /** What it writes out again. */
  html: string
}

interface Seen {
  page: Page
  /** Anything that a piece of HTML did. */
  deeds: string[]
}

async function openPage(t: { after(fn: () => Promise<void>): void }): Promise<Seen> {
  const browser = await openBrowser()
  t.after(async () => browser.close())
  const page = await browser.newPage()
  const deeds: string[] = []
  await page.route('**', async (route) => {
    deeds.push(`asks for ${route.request().url()}`)
    await route.abort()
  })
  page.on('dialog', async (dialog) => {
    deeds.push(`says ${dialog.message()}`)
    await dialog.dismiss()
  })
  page.on('framenavigated', (frame) => deeds.push(`goes to ${frame.url()}`))
  await page.setContent('<!doctype html><main></main>')
  deeds.length = 0
  return { page, deeds }
}

/** Runs in the page. Puts each piece there twice: as scripts do it, and as a server that writes it into a document. */
const LOOK = `(pieces) => {
  const look = (root) => {
    const elements = [...root.querySelectorAll('*')]
    const isForeign = (one) => one.namespaceURI !== 'http://www.w3.org/1999/xhtml'
    return {
      elements: elements.map((one) => (isForeign(one) ? 'foreign ' : '') + one.localName),
      attributes: elements.flatMap((one) => one.getAttributeNames()),
      links: elements.flatMap((one) => (one.localName === 'a' ? [one.href] : [])),
      html: root.innerHTML,
    }
  }
  return pieces.map((html) => {
    const place = document.createElement('div')
    document.querySelector('main').append(place)
    place.innerHTML = html
    const parsed = new DOMParser().parseFromString('<!doctype html><div id=place>' + html + '</div>', 'text/html')
    const readings = [look(place), look(parsed.getElementById('place'))]
    place.remove()
    return readings
  })
}`

async function read(page: Page, pieces: string[]): Promise<[inserted: Reading, written: Reading][]> {
  return page.evaluate(`(${LOOK})(${JSON.stringify(pieces)})`)
}

function assertHarmless({ elements, attributes, links }: Reading, html: string): void {
  for (const name of elements) assert.ok(ELEMENTS.has(name), `${name} in ${html}`)
  for (const name of attributes) assert.ok(ATTRIBUTES.has(name), `${name} in ${html}`)
  for (const href of links) assert.match(href, SCHEMES, html)
}

/** The document as a server sends it; gives what it did. */
async function show({ page, deeds }: Seen, html: string): Promise<string[]> {
  deeds.length = 0
  await page.setContent(`<!doctype html>${html}`)
  return deeds.filter((deed) => deed !== 'goes to about:blank')
}

suite('in a real browser', { skip }, () => {
  test('HT1 HT2 HT3: what was cleaned does nothing, and is read as it was written', async (t) => {
    const seen = await openPage(t)
    const { page } = seen
    const dirty = [
      ...MXSS,
      ...fc.sample(hostileHtml, { numRuns: 1_500, seed: 20261121 }),
      ...fc.sample(hostileHtml, 500),
    ]
    const pieces = dirty.map((html) => sanitizeHtml(html))
    const readings = await read(page, pieces)
    for (const [n, [inserted, written]] of readings.entries()) {
      assertHarmless(inserted, pieces[n]!)
      assert.deepEqual(written, inserted, pieces[n]!)
      assert.equal(sanitizeHtml(inserted.html.replaceAll('&nbsp;', '\u00a0')), pieces[n], dirty[n]!)
    }
    // All of them in one document, where one that was left open would take in the next.
    assert.deepEqual(await show(seen, pieces.map((html) => `<section>${html}</section>`).join('')), [])
    assert.equal(await page.locator('body > section').count(), pieces.length)
    assert.notDeepEqual(await show(seen, '<img src=https://evil.example/x onerror=alert(1)>'), [], 'deeds are seen')
  })

  test('HT1 HT3: what people type is shown as they typed it, and links where it says', async (t) => {
    const { page, deeds } = await openPage(t)
    const source = {
      mentions: [],
      localDomains: ['here.example'],
      tagUrl: (name: string) => `https://here.example/tags/${name}`,
    }
    const texts = [...MXSS, ...fc.sample(textWithEntities, { numRuns: 1_000, seed: 20261121 })]
    const pieces = texts.map((text) => formatStatus({ ...source, text }))
    for (const [n, [inserted, written]] of (await read(page, pieces)).entries()) {
      assertHarmless(inserted, texts[n]!)
      assert.deepEqual(written, inserted, texts[n]!)
    }
    assert.deepEqual(deeds, [])
  })
})
