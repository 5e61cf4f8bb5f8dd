// Slow: starts a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openSharedBrowser, withoutChromium } from '../../services/browser.ts'
import type { SharedBrowser } from '../../services/browser.ts'
import { checkPage } from './check-page.ts'

const CLIPPED = 'overflow: hidden; white-space: nowrap; text-overflow: ellipsis; width: 100%'

suite('the check of pages', { skip: withoutChromium }, () => {
  let browser: SharedBrowser
  let page: Page

  before(async () => {
    browser = await openSharedBrowser()
    page = await (await browser.newContext({ viewport: { width: 1000, height: 600 } })).newPage()
  })
  after(() => browser?.close())

  const check = async (content: string) => {
    await page.setContent(`<!doctype html><html lang="en"><head><title>Birds</title><style>
      .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }</style></head>
      <body><main><h1>Birds</h1><form><label>Name <input></label></form>${content}</main></body></html>`)
    await checkPage(page, 'birds')
  }

  test('accepts a page that fits, and texts that can be scrolled into view or are for screen readers', async () => {
    await check(`<button>Open <span class="unseen">the list of birds</span></button>
      <div style="overflow: auto" tabindex="0"><h2 style="width: 60rem; text-align: end">Far away</h2></div>`)
    assert.equal(page.viewportSize()?.width, 1000)
  })

  test('refuses a page that is wider than a window of 320 pixels', async () => {
    await assert.rejects(
      check('<p style="width: 25rem">Wide</p>'),
      /birds in a window of 320 pixels is 4\d\d pixels wide/,
    )
  })

  test('refuses cut texts of headings and buttons, in wide and in narrow windows', async () => {
    await assert.rejects(check(`<h2 style="${CLIPPED}">${'Linnet '.repeat(40)}</h2>`), /birds: texts are cut off/)
    await assert.rejects(
      check(`<button style="${CLIPPED}">${'Linnet '.repeat(10)}</button>`),
      /birds in a window of 320 pixels: texts are cut off/,
    )
  })
})
