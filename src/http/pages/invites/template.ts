import type { InviteRow } from '../../../domain/invites/list-invites.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { html, isolateDirection } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import { markup, message } from '../../../lib/messages/message.ts'
import { checkbox, csrfField, errorSummary, field, hiddenFields, notice, selectField } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { pager } from '../layout/pager.ts'
import type { Pages } from '../layout/pager.ts'
import { fullTime } from '../layout/time.ts'
import { paths } from '../paths.ts'
import { backToSettings } from '../settings/template.ts'

/** The choices of the form, those of Mastodon. */
export const MAX_USES = [1, 5, 10, 25, 50, 100] as const
export const EXPIRY_SECONDS = [1_800, 3_600, 21_600, 43_200, 86_400, 604_800] as const

const DEFAULT_EXPIRY = 86_400
const MAX_COMMENT_CHARACTERS = 420

type ShownInvite = Pick<
  InviteRow,
  'id' | 'code' | 'max_uses' | 'uses' | 'expires_at' | 'autofollow' | 'comment' | 'created_at'
> & { url: string; available: boolean }

export type InvitesInput = {
  /** Newest first. */
  invites: readonly ShownInvite[]
  pages: Pages
  /** The link of the invite that has just been created. */
  created?: string
  /** An invite has just been deactivated. */
  expired?: boolean
  /** What the user entered before; numbers as texts, empty for the choice without a limit. */
  values?: { maxUses: string; expiresIn: string; autofollow: boolean; comment: string }
  /** Attributes `max_uses`, `expires_in`, `comment`; others are shown without a link. */
  errors?: readonly FieldError[]
}

/** The invites of the user; posts to `paths.invites` and, with `id`, to `paths.expireInvite`. */
export function invitesPage(frame: Frame, { invites, pages, created, expired, values, errors }: InvitesInput): string {
  const { locale } = frame
  const title = message(locale, 'settings.invites')
  const labels = {
    max_uses: message(locale, 'invites.max-uses'),
    expires_in: message(locale, 'invites.expires-in'),
    comment: message(locale, 'invites.comment'),
  }
  const body = html`
    <h1>${title}</h1>
    <p class="lead">${message(locale, 'invites.lead')}</p>
    ${created !== undefined && html`<div class="notice notice-good" role="status">${markup(locale, 'invites.created', { link: inviteLink(created) })}</div>`}
    ${expired && notice('good', message(locale, 'invites.expired-now'))} ${errorSummary(locale, { errors, labels })}
    <h2>${message(locale, 'invites.create')}</h2>
    <form method="post" action="${paths.invites}">
      ${csrfField(frame.csrf)}
      ${selectField({
        name: 'max_uses',
        label: labels.max_uses,
        value: values?.maxUses ?? '',
        options: [
          ['', message(locale, 'invites.no-limit')],
          ...MAX_USES.map((count) => [String(count), message(locale, 'invites.uses', { count })] as const),
        ],
      })}
      ${selectField({
        name: 'expires_in',
        label: labels.expires_in,
        value: values?.expiresIn ?? String(DEFAULT_EXPIRY),
        options: [
          ...EXPIRY_SECONDS.map((seconds) => [String(seconds), message(locale, `invites.expiry.${seconds}`)] as const),
          ['', message(locale, 'invites.expiry.never')],
        ],
      })}
      ${checkbox(locale, {
        name: 'autofollow',
        label: message(locale, 'invites.autofollow'),
        checked: values?.autofollow ?? false,
        optional: true,
      })}
      ${field(locale, {
        name: 'comment',
        label: labels.comment,
        value: values?.comment,
        hint: message(locale, 'invites.comment-hint'),
        errors,
        optional: true,
        more: { maxlength: MAX_COMMENT_CHARACTERS, dir: 'auto' },
      })}
      <p class="actions"><button class="button" type="submit">${message(locale, 'invites.submit')}</button></p>
    </form>
    <h2>${message(locale, 'invites.list')}</h2>
    ${
      invites.length === 0
        ? html`<p class="quiet">${message(locale, 'invites.none')}</p>`
        : html`<ul class="removable">
            ${invites.map((invite) => inviteItem(frame, invite))}
          </ul>`
    }
    ${pager(locale, pages, 'entries')} ${backToSettings(frame)}
  `
  return page(frame, { title, body, shape: 'narrow' })
}

function inviteItem({ locale, csrf }: Frame, invite: ShownInvite): SafeHtml {
  const { id, code, url, max_uses: max, uses, autofollow, comment, available } = invite
  const used =
    max === null ? message(locale, 'invites.used', { uses }) : message(locale, 'invites.used-of', { uses, max })
  return html`<li>
    <div class="invite">
      ${available ? inviteLink(url) : html`<span class="quiet">${isolateDirection(code)}</span>`}
      ${comment !== '' && html`<span dir="auto">${comment}</span>`}
      <span class="hint">${used}${expiryOf(locale, invite)}</span>
      ${autofollow && html`<span class="hint">${message(locale, 'invites.follows')}</span>`}
    </div>
    ${
      available &&
      html`<form method="post" action="${paths.expireInvite}">
        ${csrfField(csrf)} ${hiddenFields({ id })}
        <button class="button button-text" type="submit" aria-label="${message(locale, 'invites.expire-of', { code })}">
          ${message(locale, 'invites.expire')}
        </button>
      </form>`
    }
  </li>`
}

function expiryOf(locale: Locale, { available, expires_at: at }: ShownInvite): SafeHtml | string {
  if (!available) return ` · ${message(locale, 'invites.expired')}`
  if (at === null) return ''
  const date = html`<time datetime="${at.toISOString()}">${fullTime(locale, at)}</time>`
  return html` &middot; ${markup(locale, 'invites.expires', { date })}`
}

function inviteLink(url: string): SafeHtml {
  return html`<a class="invite-link" href="${url}" dir="ltr">${url}</a>`
}
