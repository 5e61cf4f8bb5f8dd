import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import axe from 'axe-core'
import type { AxeResults } from 'axe-core'
import type { Browser } from 'playwright-core'
import { openBrowser, withoutChromium } from '../../../test/services/browser.ts'
import { raw } from '../../lib/html/html.ts'
import { layOut } from './layout.ts'
import { newLoginMail } from './new-login.ts'
import { termsMail } from './terms-of-service.ts'

const LONG = 'a'.repeat(200)

const mail = layOut({
  locale: 'en',
  subject: 'Bob mentioned you',
  site: 'linnet.test',
  title: `Bob ${LONG} mentioned you`,
  paragraphs: [`It was @${LONG}.`],
  quote: `one\n\n${LONG} two`,
  action: { text: 'Go to linnet.test', url: `https://linnet.test/auth/confirmation?token=${LONG}` },
  note: 'You receive this e-mail because you chose to be notified when someone mentions you.',
  stop: { text: 'Unsubscribe', url: 'https://linnet.test/unsubscribe' },
})

const terms = {
  locale: 'ar',
  site: 'linnet.test',
  effectiveDate: '2026-12-31',
  effective: false,
  changelog: {
    text: `- ${LONG}`,
    html: raw(`<ul><li><a href="https://linnet.test/about">${LONG}</a></li></ul><pre><code>a ${LONG}</code></pre>`),
  },
  url: 'https://linnet.test/terms-of-service/2026-12-31',
} as const

test('from right to left, a mail about a log-in isolates the address, whose groups would change places', () => {
  const url = 'https://linnet.test/auth/sessions'
  const { text, html } = newLoginMail({
    locale: 'ar',
    site: 'linnet.test',
    username: 'ada',
    at: new Date(0),
    ip: '2001:db8::1',
    browser: 'Firefox 120, Linux',
    url,
  })
  assert.match(text, /^> \u20682001:db8::1\u2069$/m)
  assert.match(html, /\u20682001:db8::1\u2069/)
})

suite(
  'in a browser',
  {
    skip: withoutChromium,
  },
  () => {
    let browser: Browser
    before(async () => {
      browser = await openBrowser()
    })
    after(() => browser?.close())

    for (const [name, { html }, colorScheme] of [
      ['a mail', mail, 'light'],
      ['a mail', mail, 'dark'],
      ['a mail about terms', termsMail({ ...terms, locale: 'en' }), 'light'],
      ['a mail about terms from right to left', termsMail(terms), 'light'],
      ['a mail about terms from right to left', termsMail(terms), 'dark'],
    ] as const) {
      test(`${name} is accessible, and fits into a narrow window: ${colorScheme}`, async () => {
        const page = await browser.newPage({ colorScheme, viewport: { width: 320, height: 700 } })
        await page.setContent(html)
        const width = await page.evaluate<number>('document.documentElement.scrollWidth')
        assert.ok(width <= 320, `${width} pixels`)
        await page.evaluate(axe.source)
        const { violations } = await page.evaluate<AxeResults>(
          `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'] })`,
        )
        assert.deepEqual(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`),
          [],
        )
        const paper = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
        assert.equal(paper, colorScheme === 'dark' ? 'rgb(23, 20, 19)' : 'rgb(250, 247, 243)')
      })
    }
  },
)
