import { html, isolate, isolateText } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { fullTime, timeAgo } from '../layout/time.ts'
import { message } from '../../../lib/messages/message.ts'

/** A kept mail in the list. */
export type MailSummary = { id: string; to: string; subject: string; at: Date }

/** A kept mail whole; `text` is its plain text. */
export type Mail = MailSummary & { from: string; text: string }

/** All kept mail, newest first as it comes. */
export function mailListPage(frame: Frame, { mails, now }: { mails: readonly MailSummary[]; now: Date }): string {
  const { locale } = frame
  const body = html`
    <h1>${message(locale, 'dev-mail.title')}</h1>
    <p class="lead">${message(locale, 'dev-mail.lead')}</p>
    ${
      mails.length === 0
        ? html`<p class="empty">${message(locale, 'dev-mail.empty')}</p>`
        : html`<ul class="mails">
            ${mails.map(
              ({ id, to, subject, at }) =>
                html`<li>
                  <a class="mail-subject" href="${`${paths.mail}/${encodeURIComponent(id)}`}"
                    >${isolate(subject.trim() || message(locale, 'dev-mail.untitled'))}</a
                  >
                  <span class="mail-to">${isolate(to)}</span>
                  <span class="mail-at">${timeAgo(locale, { at, now })}</span>
                </li>`,
            )}
          </ul>`
    }
  `
  return page(frame, { title: message(locale, 'dev-mail.title'), body, shape: 'narrow' })
}

/** One kept mail. Only links to `origin`, the address of this server, can be followed. */
export function mailPage(frame: Frame, { mail: kept, origin }: { mail: Mail; origin: string }): string {
  const { locale } = frame
  const title = kept.subject.trim() || message(locale, 'dev-mail.untitled')
  const { parts, first } = linkOwn(kept.text, origin)
  const body = html`
    <p class="back"><a href="${paths.mail}">${message(locale, 'dev-mail.all')}</a></p>
    <h1>${isolate(title)}</h1>
    <dl class="pairs">
      <div>
        <dt>${message(locale, 'dev-mail.to')}</dt>
        <dd>${isolate(kept.to)}</dd>
      </div>
      <div>
        <dt>${message(locale, 'dev-mail.from')}</dt>
        <dd>${isolate(kept.from)}</dd>
      </div>
      <div>
        <dt>${message(locale, 'dev-mail.date')}</dt>
        <dd>${fullTime(locale, kept.at)}</dd>
      </div>
    </dl>
    ${first && html`<p class="actions"><a class="button" href="${first}">${message(locale, 'dev-mail.open')}</a></p>`}
    <div class="mail-text" dir="auto">${parts}</div>
  `
  return page(frame, { title: isolateText(title), body, shape: 'narrow' })
}

/** The text with its links to our own origin made to follow, and the first of them. */
function linkOwn(text: string, origin: string): { parts: (SafeHtml | string)[]; first: string | null } {
  const pieces = text.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)])/)
  const isOwn = (index: number) => index % 2 === 1 && URL.parse(pieces[index] ?? '')?.origin === origin
  return {
    parts: pieces.map((piece, index) => (isOwn(index) ? html`<a href="${piece}">${piece}</a>` : piece)),
    first: pieces.find((_, index) => isOwn(index)) ?? null,
  }
}
