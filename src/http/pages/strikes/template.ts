import type { OwnStrike, StrikePost } from '../../../domain/moderation/strikes/list-strikes.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { html } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import { message } from '../../../lib/messages/message.ts'
import { csrfField, errorSummary, field, notice } from '../layout/form.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { pager } from '../layout/pager.ts'
import type { Pages } from '../layout/pager.ts'
import { fullTime } from '../layout/time.ts'
import { paths } from '../paths.ts'
import { backToSettings } from '../settings/template.ts'

/** Returns the path of the page of a strike. */
export function strikePath(strikeId: string): string {
  return `${paths.strikes}/${strikeId}`
}

export type StrikesInput = {
  strikes: readonly OwnStrike[]
  pages: Pages
}

/** The strikes against the account of the user, in the order given (newest first). */
export function strikesPage(frame: Frame, { strikes, pages }: StrikesInput): string {
  const { locale } = frame
  const title = message(locale, 'settings.strikes')
  const body = html`
    <h1>${title}</h1>
    ${
      strikes.length === 0
        ? html`<p class="lead">${message(locale, 'strikes.none')}</p>`
        : html`<p class="lead">${message(locale, 'strikes.lead')}</p>
            <ul class="choices">
              ${strikes.map(
                ({ id, action, createdAt, appeal }) =>
                  html`<li>
                    <a href="${strikePath(id)}"
                      ><span class="strike-words"
                        ><span>${message(locale, `mail.warning.title.${action}`)}</span
                        ><span class="hint"
                          >${time(locale, createdAt)}${appeal && html` &middot; ${message(locale, `strikes.appeal.${appeal.state}`)}`}</span
                        ></span
                      >
                      ${icons.forward}</a
                    >
                  </li>`,
              )}
            </ul>`
    }
    ${pager(locale, pages, 'entries')} ${backToSettings(frame)}
  `
  return page(frame, { title, body, shape: 'narrow' })
}

export type StrikeInput = {
  strike: OwnStrike
  posts: readonly StrikePost[]
  /** Whether the user can appeal now. */
  canAppeal: boolean
  maxAppealCharacters: number
  /** What the user entered before. */
  value?: string
  /** Attribute `text`. */
  errors?: readonly FieldError[]
}

/** One strike, with the form to appeal against it, which posts `text` to the path of the strike. */
export function strikePage(frame: Frame, input: StrikeInput): string {
  const { locale } = frame
  const { strike, posts } = input
  const title = message(locale, `mail.warning.title.${strike.action}`)
  const missing = strike.statusIds.length - posts.length
  const body = html`
    <p class="back"><a href="${paths.strikes}">${message(locale, 'strike.back')}</a></p>
    <h1>${title}</h1>
    <p class="quiet">${time(locale, strike.createdAt)}</p>
    ${!strike.overruled && html`<p class="lead">${message(locale, `mail.warning.meaning.${strike.action}`)}</p>`}
    ${
      strike.text !== '' &&
      html`<figure class="quote">
        <figcaption>${message(locale, 'strike.text')}</figcaption>
        <blockquote dir="auto">${strike.text}</blockquote>
      </figure>`
    }
    ${
      strike.statusIds.length > 0 &&
      html`<h2>${message(locale, 'strike.posts')}</h2>
        ${posts.map((post) => postQuote(locale, post))}
        ${missing > 0 && html`<p class="quiet">${message(locale, 'strike.missing', { count: missing })}</p>`}`
    }
    <h2>${message(locale, 'strike.appeal')}</h2>
    ${appealPart(frame, input)}
  `
  return page(frame, { title, body, shape: 'narrow' })
}

function postQuote(locale: Locale, { url, text, warning, media, deleted, createdAt }: StrikePost): SafeHtml {
  const at = time(locale, createdAt)
  return html`<figure class="quote">
    <figcaption>
      ${url === null ? at : html`<a href="${url}">${at}</a>`}${deleted && html` &middot; ${message(locale, 'strike.deleted')}`}
    </figcaption>
    ${warning !== '' && html`<p dir="auto"><strong>${warning}</strong></p>`}
    ${text !== '' && html`<blockquote dir="auto">${text}</blockquote>`}
    ${media > 0 && html`<p class="quiet">${message(locale, 'strike.media', { count: media })}</p>`}
  </figure>`
}

function appealPart(
  frame: Frame,
  { strike, canAppeal, maxAppealCharacters, value, errors }: StrikeInput,
): SafeHtml | string {
  const { locale, csrf } = frame
  const { appeal, appealDeadline } = strike
  const label = message(locale, 'strike.appeal-label')
  const summary = errorSummary(locale, { errors, labels: { text: label } })
  const date = fullTime(locale, appealDeadline)
  if (appeal) {
    const state = message(locale, `strike.appeal-state.${appeal.state}`)
    return html`${summary} ${appeal.state === 'approved' ? notice('good', state) : html`<p>${state}</p>`}
      <figure class="quote"><blockquote dir="auto">${appeal.text}</blockquote></figure>`
  }
  if (!canAppeal)
    return html`${summary}
      <p>${message(locale, 'strike.appeal-expired', { date })}</p>`
  return html`${summary}
    <p>${message(locale, 'strike.appeal-lead', { date })}</p>
    <form method="post" action="${strikePath(strike.id)}">
      ${csrfField(csrf)}
      ${field(locale, {
        name: 'text',
        label,
        type: 'textarea',
        hint: message(locale, 'strike.appeal-hint', { max: maxAppealCharacters }),
        value,
        errors,
        more: { maxlength: maxAppealCharacters, rows: 6 },
      })}
      <p class="actions"><button class="button" type="submit">${message(locale, 'strike.appeal-submit')}</button></p>
    </form>`
}

function time(locale: Locale, at: Date): SafeHtml {
  return html`<time datetime="${at.toISOString()}">${fullTime(locale, at)}</time>`
}
