import type { TermsReview } from '../../../domain/instance/terms-reviews.ts'
import { html, isolateDirection } from '../../../lib/html/html.ts'
import { markup, message } from '../../../lib/messages/message.ts'
import { formatsFor } from '../layout/formats.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'

/** The page that a user sees instead of the web client until they have opened new terms of service. */
export function termsReviewPage(frame: Frame, { effectiveDate, effective }: TermsReview): string {
  const { locale, domain } = frame
  const site = isolateDirection(domain)
  const day = formatsFor(locale).dayAndYear.format(new Date(effectiveDate))
  const title = message(locale, 'terms-review.title')
  const body = html`
    <h1>${title}</h1>
    <p class="lead">${markup(locale, effective ? 'mail.terms.current' : 'mail.terms.future', { site, day })}</p>
    <p>${markup(locale, 'mail.terms.agreement', { site })}</p>
    <p class="actions">
      <a class="button" href="${paths.terms}/${effectiveDate}">${message(locale, 'mail.terms.action')}</a>
    </p>
    <p class="aside"><a href="${paths.settings}">${message(locale, 'settings.title')}</a></p>
  `
  return page(frame, { title, body, shape: 'narrow' })
}
