import { html, isolateDirectionOfText } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { detectDirection } from '../../../lib/text/detect-direction.ts'
import { diffWords } from '../../../lib/text/diff-words.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { identity, nameOf } from '../layout/page-account.ts'
import type { PageAccount } from '../layout/page-account.ts'
import { behindWarning } from '../post/template.ts'
import type { Preview } from '../layout/preview.ts'
import { fullTime } from '../layout/time.ts'
import { message } from '../../../lib/messages/message.ts'
import type { Locale } from '../../../lib/messages/locales.ts'

/** One version of a post, as plain text. */
export type Version = {
  /** Counted from 1, the original post. */
  number: number
  at: Date
  text: string
  /** The content warning; blank for none. */
  warning: string
  sensitive: boolean
  options: readonly string[]
  media: readonly { id: string; description: string }[]
}

export type HistoryInput = {
  author: PageAccount
  postUrl: string
  /** The versions, latest first. */
  articles: readonly SafeHtml[]
  newer: string | null
  older: string | null
  preview: Preview
}

/** The edit history of a post: its versions with the changes between them. */
export function historyPage(frame: Frame, input: HistoryInput): string {
  const { locale } = frame
  const { author, postUrl, articles, newer, older, preview } = input
  const body = html`<div class="column">
    <header class="column-head">
      <p><a class="back" href="${postUrl}">${icons.back} ${message(locale, 'history.back')}</a></p>
      <h1>${message(locale, 'history.heading')}</h1>
      ${identity(author)}
    </header>
    ${articles}
    ${
      (newer !== null || older !== null) &&
      html`<nav class="pager" aria-label="${message(locale, 'history.pages')}">
        ${newer !== null && html`<a class="button button-line" rel="prev" href="${newer}">${icons.back} ${message(locale, 'history.newer')}</a>`}
        ${older !== null && html`<a class="button button-line" rel="next" href="${older}">${message(locale, 'history.older')} ${icons.forward}</a>`}
      </nav>`
    }
  </div>`
  return page(frame, {
    title: message(locale, 'history.title', { name: isolateDirectionOfText(nameOf(author)) }),
    body,
    shape: 'wide',
    preview,
  })
}

/** A version of a post. `before`: the previous one; null for the original post. */
export function versionArticle(
  locale: Locale,
  { version, before, isCurrent }: { version: Version; before: Version | null; isCurrent: boolean },
): SafeHtml {
  const { number, at } = version
  const note =
    before === null ? message(locale, 'history.first') : isCurrent ? message(locale, 'history.present') : null
  return html`<article class="version" aria-labelledby="version-${number}">
    <header class="version-head">
      <h2 id="version-${number}">${message(locale, 'history.version', { number })}</h2>
      <p class="quiet">
        <time datetime="${at.toISOString()}">${fullTime(locale, at)}</time>${note && html` &middot; ${note}`}
      </p>
    </header>
    ${versionContent(locale, { version, before })}
  </article>`
}

/**
 * Hides the version behind its content warning, or behind that of the previous version: the diff contains both texts.
 */
function versionContent(locale: Locale, { version, before }: { version: Version; before: Version | null }): SafeHtml {
  const content = before === null ? originalVersion(locale, version) : changes(locale, { version, before })
  const was = before?.warning ?? version.warning
  if (version.warning.trim() === '' && was.trim() === '') return content
  const words = difference(locale, { before: was, after: version.warning })
  const warning = html`<span dir="auto"
    ><span class="quiet">${message(locale, 'history.warning')}</span> <bdi>${words}</bdi></span
  >`
  return behindWarning(locale, { warning, hidden: content })
}

/** The original post in full, since there is no version to compare it with. */
function originalVersion(locale: Locale, { text, sensitive, options, media }: Version): SafeHtml {
  return html`${versionText({ text }, text)}
  ${sensitive && html`<p class="hint">${message(locale, 'history.now-sensitive')}</p>`}
  ${options.map((option) => labelled(message(locale, 'history.option'), html`<bdi>${option}</bdi>`))}
  ${media.map(({ description }) => labelled(message(locale, 'history.media'), html`<bdi>${description || message(locale, 'post.file')}</bdi>`))}`
}

/** The differences between a version and the previous one. */
function changes(locale: Locale, { version, before }: { version: Version; before: Version }): SafeHtml {
  const options = Array.from({ length: Math.max(version.options.length, before.options.length) }, (_, index) => [
    before.options[index] ?? '',
    version.options[index] ?? '',
  ]).filter(([old, fresh]) => old !== fresh)
  const old = new Map(before.media.map((one) => [one.id, one.description]))
  const fresh = new Map(version.media.map((one) => [one.id, one.description]))
  return html`${
    version.text === before.text
      ? html`<p class="quiet">${message(locale, 'history.same')}</p>`
      : versionText(version, difference(locale, { before: before.text, after: version.text }))
  }
  ${
    version.sensitive !== before.sensitive &&
    html`<p class="hint">${message(locale, version.sensitive ? 'history.now-sensitive' : 'history.not-sensitive')}</p>`
  }
  ${options.map(([was = '', is = '']) => labelled(message(locale, 'history.option'), difference(locale, { before: was, after: is })))}
  ${version.media.map(({ id, description }) => {
    const was = old.get(id)
    if (was === undefined)
      return labelled(
        message(locale, 'history.media-added'),
        html`<bdi>${description || message(locale, 'post.file')}</bdi>`,
      )
    if (was === description) return html``
    return labelled(message(locale, 'history.media-changed'), difference(locale, { before: was, after: description }))
  })}
  ${before.media
    .filter(({ id }) => !fresh.has(id))
    .map(({ description }) =>
      labelled(
        message(locale, 'history.media-removed'),
        html`<bdi>${description || message(locale, 'post.file')}</bdi>`,
      ),
    )}`
}

/** Shows the text of a version or its diff, in the text direction of the version. */
function versionText({ text }: Pick<Version, 'text'>, content: SafeHtml | string): SafeHtml {
  return html`<p class="version-text" dir="${detectDirection(text) ?? 'auto'}">${content}</p>`
}

function labelled(label: string, content: SafeHtml): SafeHtml {
  return html`<p class="version-part" dir="auto"><span class="quiet">${label}</span> ${content}</p>`
}

/** The differences between two texts, which screen readers announce by words, too. */
function difference(locale: Locale, { before, after }: { before: string; after: string }): SafeHtml {
  return html`${diffWords(before, after).map(({ kind, text }) =>
    kind === 'same'
      ? text
      : kind === 'added'
        ? html`<ins><span class="unseen">${message(locale, 'history.added')} </span>${text}</ins>`
        : html`<del><span class="unseen">${message(locale, 'history.removed')} </span>${text}</del>`,
  )}`
}
