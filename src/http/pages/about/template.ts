import { html, isolateDirection } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { instanceFigures } from '../layout/instance-figures.ts'
import type { Counts } from '../layout/instance-figures.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { identity } from '../layout/page-account.ts'
import type { PageAccount } from '../layout/page-account.ts'
import type { Preview } from '../layout/preview.ts'
import { markup, message } from '../../../lib/messages/message.ts'
import type { Locale } from '../../../lib/messages/locales.ts'

export type AboutInput = {
  /** Plain text; may be blank. */
  description: string
  /** The extended description, as trusted HTML that this server generated; may be blank. */
  extendedDescription: SafeHtml
  rules: readonly { text: string; hint: string }[]
  /** The message while registrations are closed, as trusted HTML that this server generated; may be blank. */
  closedMessage: SafeHtml
  /** Limited and suspended servers; null if the viewer may not see the list. */
  domainBlocks: readonly { domain: string; severity: 'silence' | 'suspend'; comment: string | null }[] | null
  /** The contact account of the server. */
  contact: PageAccount | null
  /** Blank for none. */
  email: string
  /** null: the server does not publish them. */
  counts: Counts | null
  preview: Preview
}

/** The page about the server: its description, rules, administrators and registration. */
export function aboutPage(frame: Frame, input: AboutInput): string {
  const { locale } = frame
  const handle = isolateDirection(`@${message(locale, 'about.example')}@${frame.domain}`)
  const body = html`<div class="column about">
    <header class="column-head">
      <h1>${markup(locale, 'about.heading', { site: isolateDirection(frame.siteTitle) })}</h1>
      ${input.description.trim() !== '' && html`<p class="lead about-words" dir="auto">${input.description.trim()}</p>`}
      <p class="quiet">${markup(locale, 'landing.lead', { domain: isolateDirection(frame.domain) })}</p>
    </header>
    ${input.counts && instanceFigures(locale, input.counts)}
    ${input.extendedDescription.toString() !== '' && html`<div class="prose document" dir="auto">${input.extendedDescription}</div>`}
    ${
      input.rules.length > 0 &&
      html`<section class="rules">
        <h2>${message(locale, 'about.rules')}</h2>
        <ol>
          ${input.rules.map(
            ({ text, hint }) =>
              html`<li dir="auto">${text} ${hint !== '' && html`<span class="quiet">${hint}</span>`}</li>`,
          )}
        </ol>
      </section>`
    }
    ${
      (input.contact || input.email !== '') &&
      html`<section>
        <h2>${message(locale, 'about.run-by')}</h2>
        ${input.contact && identity(input.contact)}
        ${
          input.email !== '' &&
          html`<p>
            ${markup(locale, 'about.contact', { email: html`<a href="mailto:${input.email}">${isolateDirection(input.email)}</a>` })}
          </p>`
        }
      </section>`
    }
    <section>
      <h2>${message(locale, 'about.join')}</h2>
      ${
        frame.registrations === 'none' && input.closedMessage.toString() !== ''
          ? html`<div class="prose" dir="auto">${input.closedMessage}</div>`
          : html`<p>${message(locale, `about.${frame.registrations}`)}</p>`
      }
      ${
        frame.registrations !== 'none' &&
        !frame.viewer &&
        html`<p class="actions"><a class="button" href="${paths.signUp}">${message(locale, 'layout.sign-up')}</a></p>`
      }
    </section>
    <section>
      <h2>${message(locale, 'about.domain')}</h2>
      <p>${markup(locale, 'about.domain-text', { handle })}</p>
    </section>
    ${input.domainBlocks !== null && input.domainBlocks.length > 0 && domainBlockList(locale, input.domainBlocks)}
    <section>
      <h2>${message(locale, 'about.software')}</h2>
      <p>${markup(locale, 'about.software-text', { software: `Linnet ${frame.version}` })}</p>
    </section>
  </div>`
  return page(frame, { title: message(locale, 'about.title'), body, shape: 'wide', preview: input.preview })
}

function domainBlockList(locale: Locale, domainBlocks: NonNullable<AboutInput['domainBlocks']>): SafeHtml {
  return html`<section>
    <h2>${message(locale, 'about.blocked')}</h2>
    <p class="quiet">${message(locale, 'about.blocked-lead')}</p>
    <details class="more">
      <summary>${message(locale, 'about.blocked-count', { count: domainBlocks.length })}</summary>
      <ul class="blocked">
        ${domainBlocks.map(
          ({ domain, severity, comment }) =>
            html`<li>
              ${isolateDirection(domain)}
              <span class="badge"
                >${severity === 'suspend' ? message(locale, 'about.suspended') : message(locale, 'about.silenced')}</span
              >
              ${comment && html`<span class="quiet" dir="auto">${comment}</span>`}
            </li>`,
        )}
      </ul>
    </details>
  </section>`
}
