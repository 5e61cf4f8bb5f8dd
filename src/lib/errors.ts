/**
 * The base of all errors of requests. A domain operation throws one of them, and each entry point converts it to its
 * kind of response (HTTP: `http/support/response/handle-errors.ts`). The texts are Mastodon's.
 */
export class RequestError extends Error {
  readonly status: number
  /** Further fields of the JSON body beside `error`, such as `details` or `error_description`. */
  readonly extraFields: Record<string, unknown>

  constructor(status: number, message: string, extra: Record<string, unknown> = {}) {
    super(message)
    this.name = new.target.name
    this.status = status
    this.extraFields = extra
  }
}

/** 400: a required parameter is missing or blank. */
export class ParameterMissingError extends RequestError {
  constructor(parameter: string) {
    super(400, `param is missing or the value is empty or invalid: ${parameter}`)
  }
}

/** 400: the request is malformed (invalid JSON, an invalid header). */
export class BadRequestError extends RequestError {
  constructor(message = 'Bad request') {
    super(400, message)
  }
}

/** 401: the token is missing or invalid. */
export class UnauthorizedError extends RequestError {
  constructor(message = 'The access token is invalid') {
    super(401, message)
  }
}

/** 403: the caller is known but not allowed. Not for objects whose existence is hidden from the caller. */
export class ForbiddenError extends RequestError {
  constructor(message = 'This action is not allowed') {
    super(403, message)
  }
}

/** 404: the object does not exist or is hidden from the caller. Both responses are identical. */
export class NotFoundError extends RequestError {
  constructor(message = 'Record not found') {
    super(404, message)
  }
}

/** 409: another request changed the object at the same time. */
export class ConflictError extends RequestError {
  constructor(message = 'Conflict during update, please try again') {
    super(409, message)
  }
}

/** 410: the object existed and was permanently removed. */
export class GoneError extends RequestError {
  constructor(message = 'Gone') {
    super(410, message)
  }
}

/** 413: the body exceeds the limit of the route. */
export class PayloadTooLargeError extends RequestError {
  constructor(message = 'Request body is too large') {
    super(413, message)
  }
}

/** 422: the request violates a rule that does not concern a single field. */
export class UnprocessableError extends RequestError {
  constructor(message: string, extra: Record<string, unknown> = {}) {
    super(422, message, extra)
  }
}

/** 422: a form was sent without the CSRF token of its page. */
export class ExpiredPageError extends RequestError {
  constructor() {
    super(422, 'This page has expired. Please go back, reload it, and try again.')
  }
}

/**
 * An invalid field: its name in snake case, one of Mastodon's `ERR_…` codes, and a text that follows its name. The
 * attributes `base` and an empty one are the request as a whole, whose text is a sentence.
 */
export interface FieldError {
  attribute: string
  code: string
  text: string
}

/** Converts `display_name` to `Display name`. */
function humanAttributeName(attribute: string): string {
  const words = attribute.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Whether the attribute of a `FieldError` is the request as a whole. */
export const isWholeRequest = (attribute: string): boolean => attribute === 'base' || attribute === ''

/** Returns the text with its attribute, for example `Text can't be blank`. */
function describe({ attribute, text }: FieldError): string {
  return isWholeRequest(attribute) ? text : `${humanAttributeName(attribute)} ${text}`
}

/** 422 with the text `Validation failed: Text can't be blank, …`, optionally with Mastodon's `details`. */
export class ValidationError extends RequestError {
  readonly fields: FieldError[]

  constructor(fields: FieldError[], { details = false } = {}) {
    super(422, `Validation failed: ${fields.map(describe).join(', ')}`, details ? { details: detailsOf(fields) } : {})
    this.fields = fields
  }

  /** Returns the same error with `details`. */
  withDetails(): ValidationError {
    return new ValidationError(this.fields, { details: true })
  }
}

/**
 * A `ValidationError` whose body nests the error in an object, with descriptions that do not repeat the name of the
 * field (Mastodon: POST /api/v1/collections).
 */
export class NestedValidationError extends RequestError {
  readonly fields: FieldError[]

  constructor({ message, fields }: ValidationError) {
    const details = Map.groupBy(fields, ({ attribute }) => attribute)
    const described = [...details].map(([attribute, problems]) => [
      attribute,
      problems.map(({ code, text }) => ({ error: code, description: text })),
    ])
    super(422, message, { error: { error: message, details: Object.fromEntries(described) } })
    this.fields = fields
  }
}

function detailsOf(fields: FieldError[]): Record<string, { error: string; description: string }[]> {
  const details: Record<string, { error: string; description: string }[]> = {}
  for (const field of fields) {
    ;(details[field.attribute] ??= []).push({ error: field.code, description: describe(field) })
  }
  return details
}

/** 429: a throttle was exceeded. The HTTP layer adds the `X-RateLimit-*` and `Retry-After` headers. */
export class TooManyRequestsError extends RequestError {
  constructor(message = 'Too many requests') {
    super(429, message)
  }
}

/** 502: another server did not return what the request needs. */
export class BadGatewayError extends RequestError {
  constructor(message = 'The other server did not give the file') {
    super(502, message)
  }
}

/** Seconds after which a client should repeat a request that failed with 503, or with 429 outside of a throttle. */
export const RETRY_AFTER_SECONDS = 5

/** 503: a required component is unavailable at the moment. */
export class ServiceUnavailableError extends RequestError {
  constructor(message = 'There was a temporary problem serving your request, please try again') {
    super(503, message)
  }
}

/** 507: the storage is full. */
export class InsufficientStorageError extends RequestError {
  constructor(message = 'There is no room left to store the file') {
    super(507, message)
  }
}
