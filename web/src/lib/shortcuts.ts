import { moveInFeed } from './move-in-feed.ts'
import { scrollToTop } from './scroll-to-top.ts'
import type { MessageId } from './i18n/messages.ts'
import { clientSettings } from './settings.ts'

/**
 * All shortcuts by what they are for, with their keys: alternatives are separated by spaces, keys that are pressed
 * together by `+`. `web.shortcuts.<name>` says what each does.
 */
export const SHORTCUTS = {
  navigation: {
    'next-post': 'j PageDown',
    'previous-post': 'k PageUp',
    'after-posts': 'Ctrl+End',
    'before-posts': 'Ctrl+Home',
    'new-posts': '.',
    'load-more': 'l',
    top: '0',
    column: '1-9',
    search: 's / Ctrl+K',
    back: 'Backspace',
    unfocus: 'Escape',
  },
  posts: {
    write: 'n Alt+N',
    open: 'o Enter',
    profile: 'p',
    reply: 'r',
    quote: 'q',
    mention: 'm',
    boost: 'b',
    favourite: 'f',
    bookmark: 'd',
    warning: 'x',
    media: 'h',
    'open-media': 'e',
    translate: 't',
  },
  writing: {
    send: 'Ctrl+Enter',
    'add-warning': 'Alt+X',
  },
  help: { help: '?' },
} as const

/** Stands for the path of the profile of the user in the paths of pages. */
export const OWN_PROFILE = '~'

/** The pages that `g` and another key open, with their names. The keys are Mastodon's. */
export const PAGE_KEYS = {
  h: { path: '/home', name: 'web.nav.home' },
  n: { path: '/notifications', name: 'web.nav.notifications' },
  l: { path: '/public/local', name: 'web.nav.local' },
  t: { path: '/public', name: 'web.nav.public' },
  e: { path: '/explore', name: 'web.nav.explore' },
  d: { path: '/conversations', name: 'web.nav.conversations' },
  f: { path: '/favourites', name: 'web.accounts.favourites' },
  u: { path: OWN_PROFILE, name: 'web.account.profile' },
  p: { path: `${OWN_PROFILE}#pinned-posts`, name: 'web.shortcuts.pinned' },
  r: { path: '/follow_requests', name: 'web.accounts.requests' },
  m: { path: '/mutes', name: 'web.accounts.mutes' },
  b: { path: '/blocks', name: 'web.accounts.blocks' },
  s: { path: '/start', name: 'web.setup.title' },
} as const satisfies Record<string, { path: string; name: MessageId }>

/** After this time, `g` no longer changes the meaning of the next key. */
const PAGE_KEY_MS = 2_000
/** When `g` was pressed, in the time of events. */
let pageKeyAt = Number.NEGATIVE_INFINITY

/**
 * Handles a key that is pressed outside of text fields. Keys of Mastodon: an element with `data-key` is clicked when
 * one of its keys is pressed, those of posts only in the focused post. `j` and `k` move between posts, the keys of
 * `moveInFeed` in and out of timelines, digits to columns, and Enter opens a post. `g` and a further key open a page:
 * the event `linnet-page` of the document has its path.
 */
export function handleShortcut(event: KeyboardEvent): void {
  if (event.defaultPrevented || document.querySelector('dialog[open]')) return
  // These keys work in text fields, too.
  const pressed = isNewPost(event) ? 'n' : isSearch(event) ? 's' : null
  if (pressed !== null) {
    event.preventDefault()
    document.querySelector<HTMLElement>(`[data-key~="${pressed}"]`)?.click()
    return
  }
  if (moveInFeed(event)) {
    event.preventDefault()
    return
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isTextField(event.target)) return
  const { key } = event
  // Single characters can be off, since speech input and tremors press them by accident (WCAG 2.1.4).
  if (key.length === 1 && !clientSettings.get().singleKeys) return
  const afterPageKey = event.timeStamp - pageKeyAt < PAGE_KEY_MS
  pageKeyAt = key === 'g' && !afterPageKey ? event.timeStamp : Number.NEGATIVE_INFINITY
  if (afterPageKey && key in PAGE_KEYS) {
    event.preventDefault()
    const { path } = PAGE_KEYS[key as keyof typeof PAGE_KEYS]
    document.dispatchEvent(new CustomEvent('linnet-page', { detail: path }))
    return
  }
  if (key === '?') {
    document.dispatchEvent(new CustomEvent('linnet-shortcuts'))
    return
  }
  if (key === 'j' || key === 'k') {
    moveFocus(key === 'j' ? 1 : -1)
    event.preventDefault()
    return
  }
  if (key === '0') {
    scrollToTop()
    return
  }
  if (key === 'Escape') {
    ;(document.activeElement as HTMLElement | null)?.blur()
    return
  }
  const post = document.activeElement?.closest('article')
  const selector = `[data-key~="${CSS.escape(key === 'Enter' && document.activeElement === post ? 'o' : key)}"]`
  const others = [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => !isOfPost(element))
  const element = post?.querySelector<HTMLElement>(selector) ?? others[0]
  if (!element && !/^[1-9]$/.test(key)) return
  event.preventDefault()
  // A key that is held down must not press the same button of one row after the other.
  if (event.repeat) return
  if (element) element.click()
  else focusColumn(Number(key))
}

/** Alt+N. By its code, because the key is another character with Alt on some keyboards. */
const isNewPost = ({ altKey, ctrlKey, code }: KeyboardEvent) => altKey && !ctrlKey && code === 'KeyN'

/** Ctrl+K, on a Mac also with the command key. */
const isSearch = ({ altKey, ctrlKey, metaKey, shiftKey, key }: KeyboardEvent) =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k'

function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select, [role=textbox]'))
  )
}

const isOfPost = (element: HTMLElement) => element.closest('article') !== null

/**
 * Focuses the next or previous post of the page or column with the focus; without a focused one, the first visible one.
 */
function moveFocus(step: 1 | -1): void {
  const area = document.activeElement?.closest('[data-posts]') ?? document.querySelector('main')
  const posts = [...(area?.querySelectorAll<HTMLElement>('article[tabindex]') ?? [])]
  const current = posts.indexOf(document.activeElement?.closest<HTMLElement>('article') ?? document.body)
  const next = current === -1 ? posts.find(isBelowTop) : posts[current + step]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

/**
 * Focuses the first visible post of a column, or the first link or button of one without posts. The page is column 1.
 */
function focusColumn(number: number): void {
  const column = document.querySelectorAll('main, [data-posts]')[number - 1]
  const post = [...(column?.querySelectorAll<HTMLElement>('article[tabindex]') ?? [])].find(isBelowTop)
  const target = post ?? column?.querySelector<HTMLElement>('a[href], button')
  target?.focus()
  target?.scrollIntoView({ block: 'nearest' })
}

const isBelowTop = (element: Element) => element.getBoundingClientRect().bottom > 0
