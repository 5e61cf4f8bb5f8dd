import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { raw } from '../../../lib/html/html.ts'
import { formatDocument } from '../../../lib/html/format-document.ts'
import { documentPage } from '../about/document-template.ts'
import type { Frame } from './layout.ts'
import type { Post } from '../post/template.ts'
import type { Preview } from './preview.ts'
import { profilePage } from '../profile/template.ts'
import { stylesheet } from './stylesheet.ts'
import { threadPage } from '../thread/template.ts'
import { openSharedBrowser, withoutChromium } from '../../../../test/services/browser.ts'
import type { SharedBrowser } from '../../../../test/services/browser.ts'

const frame: Frame = {
  locale: 'en',
  siteTitle: 'M',
  domain: 'm.example',
  version: '1',
  csrf: '',
  registrations: 'open',
}
const preview: Preview = { type: 'website', title: 'M', description: '', url: 'https://m.example/', noindex: true }
const now = new Date('2026-05-14T12:00:00Z')
const author = { name: 'Ada', handle: 'ada@m.example' }
const post: Post = {
  id: '7',
  url: '/@ada/7',
  at: now,
  author,
  warning: '',
  sensitive: false,
  content: raw('<p>Hello</p>'),
  replies: 0,
  reblogs: 0,
  favourites: 0,
}
const thread = (main: Post) =>
  threadPage(frame, { title: '', post: main, before: [], replies: [], cut: false, preview, now })

suite('in a browser', { skip: withoutChromium }, () => {
  let browser: SharedBrowser
  let page: Page

  before(async () => {
    browser = await openSharedBrowser()
    page = await browser.newPage({ viewport: { width: 360, height: 800 } })
  })
  after(() => browser?.close())

  const show = (html: string) =>
    page.setContent(html.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${stylesheet.body}</style>`))
  const measure = <Found>(script: string) => page.evaluate<Found>(script)

  test('a long description stays inside its tile, below the play icon', async () => {
    const sound = {
      kind: 'audio',
      url: '/a.mp3',
      preview: null,
      description: 'Birds of all kinds. '.repeat(40),
    } as const
    await show(
      profilePage(frame, {
        profile: {
          account: author,
          avatarDescription: '',
          header: null,
          note: raw(''),
          fields: [],
          joinedAt: now,
          posts: 1,
          followCounts: null,
          roles: [],
          automated: false,
          group: false,
          locked: false,
          memorial: false,
          limited: false,
          movedTo: null,
          tags: [],
          hasMediaTab: true,
        },
        tab: 'media',
        pinned: [],
        posts: [{ ...post, media: [sound] }],
        pages: { newer: null, older: null },
        path: '/@ada',
        feedUrl: '/@ada.rss',
        followUrl: '/',
        preview,
        now,
      }),
    )
    const [tile, sign, words] = await measure<{ top: number; bottom: number }[]>(
      `['.tile', '.tile .icon', '.tile .tile-veil > span'].map((one) => document.querySelector(one).getBoundingClientRect().toJSON())`,
    )
    assert.ok(tile!.top <= sign!.top && sign!.bottom <= words!.top && words!.bottom <= tile!.bottom)
  })

  test('with an enlarged text, content warnings and the name of the server have the width of the page', async () => {
    await page.setViewportSize({ width: 220, height: 800 })
    await show(thread({ ...post, warning: `A warning with a long word: ${'linnet'.repeat(12)}` }))
    const [summary, words, name] = await measure<{ width: number }[]>(
      `['.warned > summary', '.warned-words', '.brand-name'].map((one) => document.querySelector(one).getBoundingClientRect().toJSON())`,
    )
    await page.setViewportSize({ width: 360, height: 800 })
    // 32: its padding.
    assert.ok(words!.width >= summary!.width - 32 - 1, `${words!.width} of ${summary!.width}`)
    assert.ok(name!.width > 10, `${name!.width}`)
  })

  test('keyboard focus is visible on images of any colour', async () => {
    const picture = { kind: 'image', url: '/a.png', preview: '/a.png', description: 'A bird' } as const
    await show(thread({ ...post, media: [picture] }))
    await page.locator('.tile').focus()
    const [outer, inner] = await measure<string[]>(
      `(({ borderTopColor, boxShadow }) => [borderTopColor, boxShadow])(getComputedStyle(document.querySelector('.tile'), '::after'))`,
    )
    assert.equal(outer, 'rgb(169, 36, 73)')
    assert.match(inner!, /rgb\(255, 254, 252\) 0px 0px 0px 3px inset/)
  })

  test('a horizontal rule has the full width, and table cells are aligned with their headers', async () => {
    const content = raw(
      await formatDocument('One\n\n---\n\n| a | b |\n|---|---|\n| 1 | 2 |', { base: 'https://m.example' }),
    )
    await show(documentPage(frame, { title: 'Privacy policy', content, since: null, preview }))
    const [line, text] = await measure<number[]>(
      `['hr', '.document'].map((one) => document.querySelector(one).clientWidth)`,
    )
    assert.equal(line, text)
    assert.deepEqual(
      await measure(`['th', 'td'].map((one) => getComputedStyle(document.querySelector(one)).textAlign)`),
      ['start', 'start'],
    )
  })

  test('a quoted post has smaller text than the quoting post, and a small distance to its head', async () => {
    const quote: Post = { ...post, id: '8', content: raw('<p>Quoted</p>') }
    await show(thread({ ...post, quote }))
    const [own, quoted] = await measure<number[]>(
      `['.post-main > .prose', '.quoted .prose'].map((one) => parseFloat(getComputedStyle(document.querySelector(one)).fontSize))`,
    )
    assert.ok(quoted! < own!, `${quoted} and ${own}`)
    await show(thread({ ...post, content: raw('<p class="quote-inline">RE: …</p>'), quote }))
    const [head, below] = await measure<{ top: number; bottom: number }[]>(
      `['.post-head', '.quoted'].map((one) => document.querySelector(one).getBoundingClientRect().toJSON())`,
    )
    assert.equal(below!.top - head!.bottom, 12)
  })

  test('deleted text in a post does not look like a change in the edit history', async () => {
    await show(thread({ ...post, content: raw('<p>a <del>dog</del> cat</p>') }))
    const [words, struck] = await measure<string[]>(
      `['.prose', 'del'].map((one) => getComputedStyle(document.querySelector(one)).color)`,
    )
    assert.equal(struck, words)
  })

  test('the texts of the header are on one line in a narrow window', async () => {
    await show(thread(post))
    const [name, signIn] = await measure<{ top: number; bottom: number }[]>(
      `['.brand-name', '.top-links .button-plain'].map((one) => {
        const range = document.createRange()
        range.selectNodeContents(document.querySelector(one))
        return range.getBoundingClientRect().toJSON()
      })`,
    )
    const middle = ({ top, bottom }: { top: number; bottom: number }) => (top + bottom) / 2
    assert.ok(Math.abs(middle(name!) - middle(signIn!)) < 2, `${middle(name!)} and ${middle(signIn!)}`)
  })

  test('a Latin name in the header of a page from right to left is cut at its end', async () => {
    const name = 'A server with quite a long name for its size'
    const viewer = { name, handle: 'ada@m.example' }
    const article = { title: '', post, before: [], replies: [], cut: false, preview, now }
    for (const [names, of] of [
      [{ siteTitle: name }, '.brand-name'],
      [{ viewer }, '.top-person-name'],
    ] as const) {
      await show(threadPage({ ...frame, locale: 'ar', ...names }, article))
      const [first, box] = await measure<{ left: number; right: number }[]>(`(() => {
        const element = document.querySelector('${of}')
        const range = document.createRange()
        range.setStart(element.querySelector('bdi').firstChild, 0)
        range.setEnd(element.querySelector('bdi').firstChild, 1)
        return [range, element].map((one) => one.getBoundingClientRect().toJSON())
      })()`)
      assert.ok(first!.left >= box!.left - 1, `${of}: ${first!.left} is outside of ${box!.left}`)
    }
  })
})
