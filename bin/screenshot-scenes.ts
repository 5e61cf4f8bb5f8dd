import type { Page } from 'playwright-core'

/** A page of the web client, or a state of one, of which a picture is taken. */
export interface Scene {
  name: string
  path: string
  /** Default: `user`. */
  role?: 'owner' | 'user'
  /** The width of the window instead of the usual one, except in narrow windows. */
  width?: number
  /** Brings the page into the state. */
  prepare?(page: Page): Promise<void>
}

const openShortcuts = async (page: Page): Promise<void> => {
  await page.keyboard.press('?')
  await page.locator('dialog[open]').waitFor()
}

const openThread = async (page: Page): Promise<void> => {
  const first = page.locator('main article').filter({ hasText: 'A short thread' }).first()
  while ((await first.count()) === 0) {
    await page.mouse.wheel(0, 1_500)
    await page.locator('[role=feed][aria-busy=false]').waitFor()
  }
  await first.locator('time').click()
  await page.locator('main [data-start]').waitFor()
  await page.locator('main article').nth(1).waitFor()
}

const write = async (page: Page): Promise<void> => {
  await page.locator('[data-key=n]').click()
  const text = 'The first frost is on the dome. Tonight the sky will be as clear as a bell. #stars'
  await page.locator('dialog textarea').first().fill(text)
}

/** Pins two pages, in windows that are wide enough. */
const pinColumns = async (page: Page): Promise<void> => {
  for (const path of ['/tags/LanternNight', '/public/local']) {
    await page.goto(path)
    const button = page.getByRole('button', { name: 'Pin as a column' })
    await page.locator('main article').first().waitFor()
    if ((await button.isVisible()) && (await button.getAttribute('aria-pressed')) === 'false') await button.click()
  }
  await page.goto('/home')
}

/** Turns on what wide windows can show beside a timeline. */
const openBeside = async (page: Page): Promise<void> => {
  await page.goto('/settings/client/timelines')
  for (const name of ['Open posts beside the timeline', 'Write posts beside the timeline']) {
    const box = page.getByRole('checkbox', { name })
    if (!(await box.isChecked())) await box.click()
  }
  await page.goto('/home')
  await page.locator('main article').first().waitFor()
}

const openThreadBeside = async (page: Page): Promise<void> => {
  await openBeside(page)
  await page.locator('main article').nth(1).locator('time').click()
  await page.locator('[data-start]').waitFor()
}

const writeBeside = async (page: Page): Promise<void> => {
  await openBeside(page)
  await page.locator('[data-key=n]').click()
  await page.getByRole('textbox').last().fill('The first frost is on the dome. #stars')
}

const openCollection = async (page: Page): Promise<void> => {
  await page.locator('main').getByRole('link', { name: 'Awake at night' }).first().click()
  await page.getByRole('heading', { name: 'Awake at night' }).first().waitFor()
}

export const SCENES: readonly Scene[] = [
  { name: 'collections', path: '/collections' },
  { name: 'collection', path: '/collections', prepare: openCollection },
  { name: 'home', path: '/home' },
  { name: 'columns', path: '/home', width: 1920, prepare: pinColumns },
  { name: 'home-arabic', path: '/home?lang=ar' },
  { name: 'home-german', path: '/home?lang=de' },
  { name: 'home-scrolled', path: '/home', prepare: async (page) => page.mouse.wheel(0, 2_400) },
  { name: 'thread', path: '/@juno', prepare: openThread },
  { name: 'thread-arabic', path: '/@juno?lang=ar', prepare: openThread },
  { name: 'thread-beside', path: '/home', width: 1280, prepare: openThreadBeside },
  { name: 'composer-beside', path: '/home', width: 1440, prepare: writeBeside },
  { name: 'composer', path: '/home', prepare: write },
  { name: 'composer-arabic', path: '/home?lang=ar', prepare: write },
  { name: 'post-menu', path: '/home', prepare: (page) => page.locator('main article [aria-haspopup]').last().click() },
  { name: 'shortcuts', path: '/home', prepare: openShortcuts },
  { name: 'local', path: '/public/local' },
  { name: 'hashtag', path: '/tags/LanternNight' },
  { name: 'notifications', path: '/notifications', role: 'owner' },
  { name: 'notifications-arabic', path: '/notifications?lang=ar', role: 'owner' },
  { name: 'conversations', path: '/conversations', role: 'owner' },
  { name: 'explore', path: '/explore' },
  { name: 'explore-tags', path: '/explore/tags' },
  { name: 'explore-news', path: '/explore/links' },
  { name: 'explore-people', path: '/explore/suggestions' },
  { name: 'search', path: '/search' },
  { name: 'search-results', path: '/search?q=bread' },
  { name: 'profile', path: '/@mabel' },
  { name: 'profile-own', path: '/@juno' },
  { name: 'profile-arabic', path: '/@amal?lang=ar' },
  { name: 'profile-media', path: '/@haruka/media' },
  { name: 'profile-featured', path: '/@mabel/featured' },
  { name: 'followers', path: '/@wren/followers' },
  { name: 'edit-profile', path: '/settings/client/profile' },
  { name: 'lists', path: '/lists' },
  { name: 'bookmarks', path: '/bookmarks' },
  { name: 'favourites', path: '/favourites' },
  { name: 'drafts', path: '/drafts' },
  { name: 'directory', path: '/directory' },
  { name: 'followed-tags', path: '/followed_tags' },
  { name: 'follow-requests', path: '/follow_requests' },
  { name: 'mutes', path: '/mutes' },
  { name: 'start', path: '/start' },
  { name: 'settings', path: '/settings' },
  { name: 'settings-appearance', path: '/settings/client/appearance' },
  { name: 'settings-keyboard', path: '/settings/client/keyboard' },
  { name: 'missing-page', path: '/lists/0' },
  { name: 'admin', path: '/admin', role: 'owner' },
  { name: 'admin-reports', path: '/admin/reports', role: 'owner' },
  { name: 'admin-accounts', path: '/admin/accounts', role: 'owner' },
  { name: 'admin-arabic', path: '/admin?lang=ar', role: 'owner' },
]
