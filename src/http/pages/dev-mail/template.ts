import { html, isolateDirection, isolateDirectionOfText } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { fullTime, timeAgo } from '../layout/time.ts'
import { message } from '../../../lib/messages/message.ts'

/** A stored mail in the list. */
export type MailSummary = { id: string; to: string; subject: string; at: Date }

/** A stored mail; `text` is its plain text. */
export type Mail = MailSummary & { from: string; text: string }

/** The list of stored mails, in the order given (newest first). */
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
                    >${isolateDirection(subject.trim() || message(locale, 'dev-mail.untitled'))}</a
                  >
                  <span class="mail-to">${isolateDirection(to)}</span>
                  <span class="mail-at">${timeAgo(locale, { at, now })}</span>
                </li>`,
            )}
          </ul>`
    }
  `
  return page(frame, { title: message(locale, 'dev-mail.title'), body, shape: 'narrow' })
}

/** One stored mail. Only URLs of `origin`, this server, become links. */
export function mailPage(frame: Frame, { mail, origin }: { mail: Mail; origin: string }): string {
  const { locale } = frame
  const title = mail.subject.trim() || message(locale, 'dev-mail.untitled')
  const { parts, first } = linkOwnUrls(mail.text, origin)
  const body = html`
    <p class="back"><a href="${paths.mail}">${message(locale, 'dev-mail.all')}</a></p>
    <h1>${isolateDirection(title)}</h1>
    <dl class="pairs">
      <div>
        <dt>${message(locale, 'dev-mail.to')}</dt>
        <dd>${isolateDirection(mail.to)}</dd>
      </div>
      <div>
        <dt>${message(locale, 'dev-mail.from')}</dt>
        <dd>${isolateDirection(mail.from)}</dd>
      </div>
      <div>
        <dt>${message(locale, 'dev-mail.date')}</dt>
        <dd>${fullTime(locale, mail.at)}</dd>
      </div>
    </dl>
    ${first && html`<p class="actions"><a class="button" href="${first}">${message(locale, 'dev-mail.open')}</a></p>`}
    <div class="mail-text" dir="auto">${parts}</div>
  `
  return page(frame, { title: isolateDirectionOfText(title), body, shape: 'narrow' })
}

/** Returns the text with links for the URLs of `origin`, and the first of these URLs. */
function linkOwnUrls(text: string, origin: string): { parts: (SafeHtml | string)[]; first: string | null } {
  const parts = text.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)])/)
  const isOwn = (index: number) => index % 2 === 1 && URL.parse(parts[index] ?? '')?.origin === origin
  return {
    parts: parts.map((part, index) => (isOwn(index) ? html`<a href="${part}">${part}</a>` : part)),
    first: parts.find((_, index) => isOwn(index)) ?? null,
  }
}
