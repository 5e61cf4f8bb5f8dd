import { html, isolate } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'
import { figures } from '../layout/figures.ts'
import { formatsFor } from '../layout/formats.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { identity } from '../layout/page-account.ts'
import type { Person } from '../layout/page-account.ts'
import type { Preview } from '../layout/preview.ts'
import { textFor } from '../text.ts'
import type { Text } from '../text.ts'

export type AboutInput = {
  /** Plain text; may be blank. */
  description: string
  /** The same at length, as markup of our own making; may be blank. */
  more: SafeHtml
  rules: readonly { text: string; hint: string }[]
  /** What is said while nobody may sign up, as markup of our own making; may be blank. */
  closed: SafeHtml
  /** Servers that nothing comes from; null: the owner does not tell. */
  blocked: readonly { domain: string; severity: 'silence' | 'suspend'; comment: string | null }[] | null
  /** Whom to turn to. */
  contact: Person | null
  /** Blank for none. */
  email: string
  people: number
  posts: number
  active: number
  preview: Preview
}

/** What this server is, who runs it, and how to come in. */
export function aboutPage(frame: Frame, input: AboutInput): string {
  const text = textFor(frame.lang)
  const { landing, layout, everybody } = text
  const words = everybody.about
  const handle = isolate(`@${words.example}@${frame.domain}`)
  const body = html`<div class="column about">
    <header class="column-head">
      <h1>${words.heading(isolate(frame.siteTitle))}</h1>
      ${input.description.trim() !== '' && html`<p class="lead about-words" dir="auto">${input.description.trim()}</p>`}
      <p class="quiet">${landing.lead(isolate(frame.domain))}</p>
    </header>
    ${figures(landing.facts, [
      landing.people(input.people),
      landing.posts(input.posts),
      [formatsFor(text.lang).number.format(input.active), landing.active()],
    ])}
    ${input.more.toString() !== '' && html`<div class="prose document" dir="auto">${input.more}</div>`}
    ${
      input.rules.length > 0 &&
      html`<section class="rules">
        <h2>${words.rules}</h2>
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
        <h2>${words.runBy}</h2>
        ${input.contact && identity(input.contact)}
        ${
          input.email !== '' &&
          html`<p>${words.contact}: <a href="mailto:${input.email}">${isolate(input.email)}</a></p>`
        }
      </section>`
    }
    <section>
      <h2>${words.join}</h2>
      ${
        frame.registrations === 'none' && input.closed.toString() !== ''
          ? html`<div class="prose" dir="auto">${input.closed}</div>`
          : html`<p>${words[frame.registrations]}</p>`
      }
      ${
        frame.registrations !== 'none' &&
        !frame.viewer &&
        html`<p class="actions"><a class="button" href="${paths.signUp}">${layout.signUp}</a></p>`
      }
    </section>
    <section>
      <h2>${words.domain}</h2>
      <p>${words.domainText(handle)}</p>
    </section>
    ${input.blocked !== null && input.blocked.length > 0 && blockedServers(text, input.blocked)}
    <section>
      <h2>${words.software}</h2>
      <p>${words.softwareText(frame.version)}</p>
    </section>
  </div>`
  return page(frame, { title: words.title, body, shape: 'wide', preview: input.preview })
}

function blockedServers({ everybody: { about: words } }: Text, blocked: NonNullable<AboutInput['blocked']>): SafeHtml {
  return html`<section>
    <h2>${words.blocked}</h2>
    <p class="quiet">${words.blockedLead}</p>
    <details class="more">
      <summary>${words.blockedCount(blocked.length)}</summary>
      <ul class="blocked">
        ${blocked.map(
          ({ domain, severity, comment }) =>
            html`<li>
              ${isolate(domain)} <span class="badge">${severity === 'suspend' ? words.suspended : words.silenced}</span>
              ${comment && html`<span class="quiet" dir="auto">${comment}</span>`}
            </li>`,
        )}
      </ul>
    </details>
  </section>`
}
