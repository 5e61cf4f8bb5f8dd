import { attributes, html, isolate } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { findMessage, message } from '../../../lib/messages/message.ts'
import type { Locale } from '../../../lib/messages/locales.ts'

/** The name of the hidden field that carries the session's token in every form. */
const CSRF_FIELD = 'csrf'

/** One labelled input. `name` is also its id; errors are those of the attribute with this name. */
type FieldInput = {
  name: string
  label: string
  type?: 'text' | 'email' | 'password' | 'date' | 'textarea'
  value?: string | undefined
  hint?: string | SafeHtml | undefined
  /** Printed before and after the input, as part of it. */
  prefix?: string
  suffix?: string
  errors?: readonly FieldError[] | undefined
  optional?: boolean
  autocomplete?: string
  /** More attributes of the input, such as `minlength`. */
  more?: Record<string, string | number | boolean>
}

/** The hidden token. */
export function csrfField(token: string): SafeHtml {
  return hiddenFields({ [CSRF_FIELD]: token })
}

/** A hidden input for every value that is there. */
export function hiddenFields(values: Readonly<Record<string, string | null | undefined>>): SafeHtml {
  const present = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
  return html`${present.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`
}

/** Label, hint, input and what is wrong with it, tied together for a screen reader. */
export function field(locale: Locale, input: FieldInput): SafeHtml {
  const { name, type = 'text' } = input
  const wrong = problemsOf(locale, name, input.errors)
  const shared = {
    id: name,
    name,
    required: !input.optional,
    autocomplete: input.autocomplete,
    'aria-describedby':
      [input.hint ? `${name}-hint` : '', wrong.length ? `${name}-error` : ''].join(' ').trim() || null,
    'aria-invalid': wrong.length ? 'true' : null,
    ...input.more,
  }
  // A parser drops the first line end of a textarea, so one is put there to lose.
  const control =
    type === 'textarea'
      ? html`<textarea class="input" dir="auto" ${attributes({ rows: 3, ...shared })}>${'\n'}${input.value}</textarea>`
      : html`<input class="input" ${attributes({ type, ...shared, value: input.value })} />`
  return html`<div class="field">
    <label for="${name}"
      >${input.label}${input.optional && html` <span class="quiet">(${message(locale, 'form.optional')})</span>`}</label
    >
    ${
      input.prefix || input.suffix
        ? html`<div class="affixed" dir="ltr">
            <span class="affix" aria-hidden="true">${input.prefix}</span>${control}<span
              class="affix affix-end"
              aria-hidden="true"
              >${input.suffix && isolate(input.suffix)}</span
            >
          </div>`
        : control
    }
    ${input.hint && html`<p class="hint" id="${name}-hint">${input.hint}</p>`} ${errorLine(name, wrong)}
  </div>`
}

/** One choice of several, with a label. */
export function selectField({
  name,
  label,
  value,
  options,
}: {
  name: string
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
}): SafeHtml {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <select class="input" id="${name}" name="${name}">
      ${options.map(
        ([key, text]) => html`<option ${attributes({ value: key, selected: key === value })}>${text}</option>`,
      )}
    </select>
  </div>`
}

/** A box to tick, its label beside it. Sends `1`. */
export function checkbox(
  locale: Locale,
  {
    name,
    label,
    checked,
    optional = false,
    errors,
  }: {
    name: string
    label: string
    checked: boolean
    optional?: boolean
    errors?: readonly FieldError[] | undefined
  },
): SafeHtml {
  const wrong = problemsOf(locale, name, errors)
  const more = attributes({
    checked,
    required: !optional,
    'aria-describedby': wrong.length ? `${name}-error` : null,
    'aria-invalid': wrong.length ? 'true' : null,
  })
  return html`<div class="field">
    <div class="tick">
      <input type="checkbox" id="${name}" name="${name}" value="1" ${more} />
      <label for="${name}">${label}</label>
    </div>
    ${errorLine(name, wrong)}
  </div>`
}

/**
 * What is wrong with the whole form, announced when the page opens, each line leading to its field.
 * `labels` names the fields on the page; errors of other attributes are printed without a link.
 */
export function errorSummary(
  locale: Locale,
  { errors = [], labels }: { errors?: readonly FieldError[] | undefined; labels: Readonly<Record<string, string>> },
): SafeHtml {
  if (errors.length === 0) return html``
  const lines = errors.map((error) => {
    const label = labels[error.attribute]
    const problem = problemOf(locale, error)
    return label === undefined
      ? html`<li>${problem}</li>`
      : html`<li><a href="#${error.attribute}">${label}</a>: ${problem}</li>`
  })
  return html`<div class="notice notice-alert" role="alert">
    <strong>${message(locale, 'form.summary', { count: errors.length })}</strong>
    <ul>
      ${lines}
    </ul>
  </div>`
}

/** One line that says what went wrong, or what went well. */
export function notice(kind: 'alert' | 'good', content: string | SafeHtml): SafeHtml {
  return html`<p class="notice notice-${kind}" role="${kind === 'alert' ? 'alert' : 'status'}" dir="auto">
    ${content}
  </p>`
}

function errorLine(name: string, wrong: readonly string[]): SafeHtml {
  return wrong.length === 0 ? html`` : html`<p class="field-error" id="${name}-error">${wrong.join(' ')}</p>`
}

function problemsOf(locale: Locale, name: string, errors: readonly FieldError[] = []): string[] {
  return errors.filter((error) => error.attribute === name).map((error) => problemOf(locale, error))
}

/** The catalogue's words for a known code, else the words that came with the error. */
function problemOf(locale: Locale, error: FieldError): string {
  return findMessage(locale, `problem.${error.code}`) ?? error.text
}
