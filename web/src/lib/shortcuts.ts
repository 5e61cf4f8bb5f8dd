import { scrollToTop } from './scroll-to-top.ts'
import { clientSettings } from './settings.ts'

/** All shortcuts by what they are for, with their keys. `web.shortcuts.<name>` says what each does. */
export const SHORTCUTS = {
  navigation: {
    'next-post': 'j',
    'previous-post': 'k',
    'new-posts': '.',
    'load-more': 'l',
    top: '0',
    search: 's',
    back: 'Backspace',
    unfocus: 'Escape',
  },
  posts: {
    write: 'n',
    open: 'o',
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
  help: { help: '?' },
} as const

/**
 * Handles a key that is pressed outside of text fields. Keys of Mastodon: an element with `data-key` is clicked when one of
 * its keys is pressed; the one in the focused post comes first. `j` and `k` move between posts.
 */
export function handleShortcut(event: KeyboardEvent): void {
  if (event.defaultPrevented || document.querySelector('dialog[open]')) return
  if (isNewPost(event)) {
    event.preventDefault()
    document.querySelector<HTMLElement>('[data-key="n"]')?.click()
    return
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isTextField(event.target)) return
  const { key } = event
  // Single characters can be off, since speech input and tremors press them by accident (WCAG 2.1.4).
  if (key.length === 1 && !clientSettings.get().singleKeys) return
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
  const selector = `[data-key~="${CSS.escape(key)}"]`
  const post = document.activeElement?.closest('article')
  const element = post?.querySelector<HTMLElement>(selector) ?? document.querySelector<HTMLElement>(selector)
  if (!element || (isOfPost(element) && !post)) return
  event.preventDefault()
  element.click()
}

/** Alt+N works in text fields, too. By its code, because the key is another character with Alt on some keyboards. */
const isNewPost = ({ altKey, ctrlKey, code }: KeyboardEvent) => altKey && !ctrlKey && code === 'KeyN'

function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [role=textbox]'))
  )
}

const isOfPost = (element: HTMLElement) => element.closest('article') !== null

/** Focuses the next or previous post of the page or column with the focus; without a focused one, the first visible one. */
function moveFocus(step: 1 | -1): void {
  const area = document.activeElement?.closest('[data-posts]') ?? document.querySelector('main')
  const posts = [...(area?.querySelectorAll<HTMLElement>('article[tabindex]') ?? [])]
  const current = posts.indexOf(document.activeElement?.closest<HTMLElement>('article') ?? document.body)
  const next = current === -1 ? posts.find((post) => post.getBoundingClientRect().bottom > 0) : posts[current + step]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}
