import { html, isolate } from '../../../lib/html.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { markup, message } from '../../../lib/messages/message.ts'

export type ConfirmedInput = {
  /** Approval by a moderator is still missing. */
  pending: boolean
  /** The app that the person signed up with, and where it waits. */
  app?: { name: string; url: string } | null
}

/** After the link in the mail: the address is confirmed, and what comes next. */
export function confirmedPage(frame: Frame, { pending, app }: ConfirmedInput): string {
  const { locale } = frame
  const next = app
    ? html`<a class="button" href="${app.url}">${markup(locale, 'confirmed.app', { app: isolate(app.name) })}</a>`
    : frame.viewer
      ? html`<a class="button" href="${paths.account}">${message(locale, 'confirmed.account')}</a>`
      : html`<a class="button" href="${paths.signIn}">${message(locale, 'confirmed.sign-in')}</a>`
  const body = html`
    <p class="emblem">${icons.done}</p>
    <h1>${message(locale, 'confirmed.title')}</h1>
    <p class="lead">
      ${pending ? message(locale, 'confirmed.pending') : markup(locale, 'confirmed.ready', { site: isolate(frame.siteTitle) })}
    </p>
    ${!pending && html`<p class="actions">${next}</p>`}
  `
  return page(frame, { title: message(locale, 'confirmed.title'), body, shape: 'narrow' })
}
