import { createElement, Fragment } from 'react'
import type { ReactNode } from 'react'
import type { CustomEmoji } from '../api/entities.ts'
import { Emoji } from './emoji.tsx'

/** The elements that the server leaves in posts and profiles, with what React renders for them. */
const ALLOWED = new Set(
  'p br span del s strong b em i u code pre blockquote ul ol li ruby rt rp h1 h2 h3 h4 h5 h6'.split(' '),
)

const NONE: ReadonlySet<string> = new Set()

/** How to render a link of a post. */
export type RenderLink = (link: { href: string; className: string; text: string; children: ReactNode }) => ReactNode

/**
 * Renders the sanitised HTML of the API as React elements. The client does not trust it a second time: only known
 * elements are created, without their attributes except for language, the numbers of lists and the classes of shortened
 * links.
 */
export function renderHtml(
  html: string,
  {
    emojis,
    renderLink,
    moreElements = NONE,
    omittedClass,
  }: {
    emojis: readonly CustomEmoji[]
    renderLink: RenderLink
    /** Elements that are allowed, too. */
    moreElements?: ReadonlySet<string>
    /** Elements with this class are omitted. */
    omittedClass?: string
  },
): ReactNode {
  const body = new DOMParser().parseFromString(html, 'text/html').body
  const emojiByCode = new Map(emojis.map((emoji) => [emoji.shortcode, emoji]))

  const renderChildren = (node: Node): ReactNode =>
    [...node.childNodes].map((child, index) => createElement(Fragment, { key: index }, render(child)))

  const render = (node: Node): ReactNode => {
    if (node instanceof Text) return renderEmojis(node.data, emojiByCode)
    if (!(node instanceof HTMLElement)) return null
    if (omittedClass !== undefined && node.classList.contains(omittedClass)) return null
    const name = node.localName
    if (name === 'a') {
      const href = node.getAttribute('href') ?? ''
      const link = { href, className: node.className, text: node.textContent, children: renderChildren(node) }
      return /^(https?|mailto|xmpp|gemini|magnet|ipfs|dat|dweb|ssb|gopher|tel|sip):/i.test(href)
        ? renderLink(link)
        : link.children
    }
    if (name === 'br') return createElement('br')
    if (!ALLOWED.has(name) && !moreElements.has(name)) return renderChildren(node)
    if (name === 'hr') return createElement('hr')
    const hidden = node.classList.contains('invisible')
    const ellipsis = node.classList.contains('ellipsis')
    const lang = node.getAttribute('lang') ?? undefined
    return createElement(
      name,
      { lang, className: hidden ? 'unseen' : ellipsis ? 'ellipsis' : undefined, ...numbersOf(node) },
      renderChildren(node),
    )
  }

  return renderChildren(body)
}

/** Returns the attributes that number the entries of a list. */
function numbersOf(node: HTMLElement) {
  if (node instanceof HTMLOListElement)
    return { start: node.hasAttribute('start') ? node.start : undefined, reversed: node.reversed }
  if (node instanceof HTMLLIElement && node.hasAttribute('value')) return { value: node.value }
  return {}
}

/** Replaces the shortcodes of custom emojis in a text by images. */
export function renderEmojis(text: string, emojis: ReadonlyMap<string, CustomEmoji>): ReactNode {
  if (emojis.size === 0 || !text.includes(':')) return text
  return text.split(/(:\w+:)/).map((part, index) => {
    const emoji = part.length > 2 ? emojis.get(part.slice(1, -1)) : undefined
    return emoji ? <Emoji key={index} emoji={emoji} /> : part
  })
}
