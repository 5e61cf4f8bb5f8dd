/**
 * The one catalogue of refusals. A verb throws one of these; each door turns it into its own kind of answer
 * (HTTP: `http/support/errors.ts`). Texts are the ones that Mastodon's clients already know.
 */
export class Refusal extends Error {
  readonly status: number
  /** Keys that join `error` in the JSON body, such as `details` or `error_description`. */
  readonly extra: Record<string, unknown>

  constructor(status: number, message: string, extra: Record<string, unknown> = {}) {
    super(message)
    this.name = new.target.name
    this.status = status
    this.extra = extra
  }
}

/** 400: a required parameter is missing or blank. */
export class ParameterMissing extends Refusal {
  constructor(parameter: string) {
    super(400, `param is missing or the value is empty or invalid: ${parameter}`)
  }
}

/** 400: the request itself makes no sense (broken JSON, a bad header). */
export class BadRequest extends Refusal {
  constructor(message = 'Bad request') {
    super(400, message)
  }
}

/** 401: no token, or one that does not count. */
export class Unauthorized extends Refusal {
  constructor(message = 'The access token is invalid') {
    super(401, message)
  }
}

/** 403: known, but not allowed. Never used for a thing whose existence is hidden from the caller. */
export class Forbidden extends Refusal {
  constructor(message = 'This action is not allowed') {
    super(403, message)
  }
}

/** 404: absent, or hidden from the caller: both answer with the very same bytes. */
export class NotFound extends Refusal {
  constructor(message = 'Record not found') {
    super(404, message)
  }
}

/** 409: somebody else wrote first. */
export class Conflict extends Refusal {
  constructor(message = 'Conflict during update, please try again') {
    super(409, message)
  }
}

/** 410: it was there, and will not come back. */
export class Gone extends Refusal {
  constructor(message = 'Gone') {
    super(410, message)
  }
}

/** 413: the body is larger than the route takes. */
export class TooLarge extends Refusal {
  constructor(message = 'Request body is too large') {
    super(413, message)
  }
}

/** 422: understood, but it breaks a rule that is not about one field. */
export class Unprocessable extends Refusal {
  constructor(message: string, extra: Record<string, unknown> = {}) {
    super(422, message, extra)
  }
}

/** One broken rule of one field: `attribute` in snake case, a `code` of Mastodon's `ERR_…` list, a text after the field's name. */
export interface FieldError {
  attribute: string
  code: string
  text: string
}

/** `display_name` → `Display name`. */
function humanise(attribute: string): string {
  const words = attribute.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** 422 in the form `Validation failed: Text can't be blank, …`, optionally with Mastodon's `details`. */
export class ValidationFailed extends Refusal {
  readonly fields: FieldError[]

  constructor(fields: FieldError[], { details = false } = {}) {
    const texts = fields.map((field) => `${humanise(field.attribute)} ${field.text}`.trim())
    super(422, `Validation failed: ${texts.join(', ')}`, details ? { details: detailsOf(fields) } : {})
    this.fields = fields
  }
}

function detailsOf(fields: FieldError[]): Record<string, { error: string; description: string }[]> {
  const details: Record<string, { error: string; description: string }[]> = {}
  for (const { attribute, code, text } of fields) {
    ;(details[attribute] ??= []).push({ error: code, description: `${humanise(attribute)} ${text}` })
  }
  return details
}

/** 429: a throttle is used up. The HTTP door adds the `X-RateLimit-*` and `Retry-After` headers. */
export class TooManyRequests extends Refusal {
  constructor(message = 'Too many requests') {
    super(429, message)
  }
}

/** 502: another server did not give what was asked of it for somebody. */
export class BadGateway extends Refusal {
  constructor(message = 'The other server did not give the file') {
    super(502, message)
  }
}

/** Seconds after which a client should repeat a request that was answered with 503. */
export const RETRY_AFTER_SECONDS = 5

/** 503: a part that we need does not answer at the moment. */
export class Unavailable extends Refusal {
  constructor(message = 'There was a temporary problem serving your request, please try again') {
    super(503, message)
  }
}

/** 507: no room for what was sent. */
export class OutOfStorage extends Refusal {
  constructor(message = 'There is no room left to store the file') {
    super(507, message)
  }
}
