// Slow: drives a browser.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { ATTRIBUTES, ELEMENTS, hostileHtml, MXSS, SCHEMES } from '../../../test/text/hostile-html.ts'
import { openSharedBrowser, withoutChromium } from '../../../test/services/browser.ts'
import { entityTexts } from '../../../test/text/text-samples.ts'
import { formatStatus } from './format-status.ts'
import { sanitizeHtml } from './sanitize.ts'

/** What a browser parsed from a piece of HTML. */
interface Reading {
  elements: string[]
  attributes: string[]
  links: string[]
  /** The HTML that it serialises again. */
  html: string
}

interface OpenedPage {
  page: Page
  /** Requests, dialogs and other actions that a piece of HTML caused. */
  actions: string[]
}

async function openPage(t: { after(fn: () => Promise<void>): void }): Promise<OpenedPage> {
  const browser = await openSharedBrowser()
  t.after(async () => browser.close())
  const page = await browser.newPage()
  const actions: string[] = []
  await page.route('**', async (route) => {
    actions.push(`requests ${route.request().url()}`)
    await route.abort()
  })
  page.on('dialog', async (dialog) => {
    actions.push(`dialog ${dialog.message()}`)
    await dialog.dismiss()
  })
  page.on('framenavigated', (frame) => actions.push(`navigates to ${frame.url()}`))
  await page.setContent('<!doctype html><main></main>')
  actions.length = 0
  return { page, actions }
}

/** Runs in the page. Inserts each piece twice: by script, and as part of a parsed document. */
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

/** Shows HTML as a document from a server. Returns the actions that it caused. */
async function show({ page, actions }: OpenedPage, html: string): Promise<string[]> {
  actions.length = 0
  await page.setContent(`<!doctype html>${html}`)
  return actions.filter((action) => action !== 'navigates to about:blank')
}

suite('in a real browser', { skip: withoutChromium }, () => {
  test('HT1 HT2 HT3: sanitised HTML causes no actions and is parsed as written', async (t) => {
    const opened = await openPage(t)
    const { page } = opened
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
    // All of them in one document, in which an unclosed element would contain the next piece.
    assert.deepEqual(await show(opened, pieces.map((html) => `<section>${html}</section>`).join('')), [])
    assert.equal(await page.locator('body > section').count(), pieces.length)
    assert.notDeepEqual(
      await show(opened, '<img src=https://evil.example/x onerror=alert(1)>'),
      [],
      'actions are detected',
    )
  })

  test('HT1 HT3: text of users is shown as typed, and links lead to the shown URLs', async (t) => {
    const { page, actions } = await openPage(t)
    const source = {
      mentions: [],
      localDomains: ['here.example'],
      tagUrl: (name: string) => `https://here.example/tags/${name}`,
    }
    const texts = [...MXSS, ...fc.sample(entityTexts, { numRuns: 1_000, seed: 20261121 })]
    const pieces = texts.map((text) => formatStatus({ ...source, text }))
    for (const [n, [inserted, written]] of (await read(page, pieces)).entries()) {
      assertHarmless(inserted, texts[n]!)
      assert.deepEqual(written, inserted, texts[n]!)
    }
    assert.deepEqual(actions, [])
  })
})
