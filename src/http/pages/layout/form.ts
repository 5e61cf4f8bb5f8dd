import { attributes, html, isolateDirection } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { findMessage, message } from '../../../lib/messages/message.ts'
import type { Locale } from '../../../lib/messages/locales.ts'

/** The name of the hidden field with the CSRF token, which every form contains. */
const CSRF_FIELD = 'csrf'

/** An input with a label. `name` is also its id; of `errors`, it shows those of the attribute with this name. */
type FieldInput = {
  name: string
  label: string
  type?: 'text' | 'email' | 'password' | 'date' | 'number' | 'file' | 'textarea'
  value?: string | undefined
  hint?: string | SafeHtml | undefined
  /** Texts inside the frame of the input, before and after it. */
  prefix?: string
  suffix?: string
  errors?: readonly FieldError[] | undefined
  optional?: boolean
  autocomplete?: string
  /** More attributes of the input, such as `minlength`. */
  more?: Record<string, string | number | boolean>
}

/** The hidden field with the CSRF token. */
export function csrfField(token: string): SafeHtml {
  return hiddenFields({ [CSRF_FIELD]: token })
}

/** Hidden inputs for all values that are not null or undefined. */
export function hiddenFields(values: Readonly<Record<string, string | null | undefined>>): SafeHtml {
  const present = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
  return html`${present.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`
}

/** Label, hint, input and errors, associated with each other for screen readers. */
export function field(locale: Locale, input: FieldInput): SafeHtml {
  const { name, type = 'text' } = input
  const problems = problemsOf(locale, name, input.errors)
  const shared = {
    id: name,
    name,
    required: !input.optional,
    autocomplete: input.autocomplete,
    'aria-describedby':
      [input.hint ? `${name}-hint` : '', problems.length ? `${name}-error` : ''].join(' ').trim() || null,
    'aria-invalid': problems.length ? 'true' : null,
    autofocus: isFirstInvalid(name, input.errors),
    ...input.more,
  }
  // HTML parsers drop a newline at the start of a textarea, so an extra one protects the first line of the value.
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
              >${input.suffix && isolateDirection(input.suffix)}</span
            >
          </div>`
        : control
    }
    ${input.hint && html`<p class="hint" id="${name}-hint">${input.hint}</p>`} ${errorLine(name, problems)}
  </div>`
}

/** A select element with a label. */
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

/** A checkbox with its label. Sends `value` if it is checked. */
export function checkbox(
  locale: Locale,
  {
    name,
    label,
    checked,
    value = '1',
    optional = false,
    errors,
  }: {
    name: string
    label: string
    checked: boolean
    value?: string
    optional?: boolean
    errors?: readonly FieldError[] | undefined
  },
): SafeHtml {
  const problems = problemsOf(locale, name, errors)
  const more = attributes({
    checked,
    required: !optional,
    'aria-describedby': problems.length ? `${name}-error` : null,
    'aria-invalid': problems.length ? 'true' : null,
    autofocus: isFirstInvalid(name, errors),
  })
  return html`<div class="field">
    <div class="tick">
      <input type="checkbox" id="${name}" name="${name}" value="${value}" ${more} />
      <label for="${name}">${label}</label>
    </div>
    ${errorLine(name, problems)}
  </div>`
}

/**
 * A list of all errors of a form, which screen readers announce when the page opens. Each line links to its field.
 * `labels` has the labels of the fields on the page; errors of other attributes are shown without a link.
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

/** A line with an error (`alert`) or a confirmation (`good`). */
export function notice(kind: 'alert' | 'good', content: string | SafeHtml): SafeHtml {
  return html`<p class="notice notice-${kind}" role="${kind === 'alert' ? 'alert' : 'status'}" dir="auto">
    ${content}
  </p>`
}

function errorLine(name: string, problems: readonly string[]): SafeHtml {
  return problems.length === 0 ? html`` : html`<p class="field-error" id="${name}-error">${problems.join(' ')}</p>`
}

function problemsOf(locale: Locale, name: string, errors: readonly FieldError[] = []): string[] {
  return errors.filter((error) => error.attribute === name).map((error) => problemOf(locale, error))
}

/** The field of the first error has the focus, so that the user can correct it at once. */
function isFirstInvalid(name: string, errors: readonly FieldError[] = []): boolean {
  return errors[0]?.attribute === name
}

/** Returns the text of the message catalogue for the error code; for an unknown code, the text of the error itself. */
function problemOf(locale: Locale, error: FieldError): string {
  return findMessage(locale, `problem.${error.code}`) ?? error.text
}
