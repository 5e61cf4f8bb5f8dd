import { RequestError } from '../../lib/errors.ts'

/**
 * The error codes of RFC 6749, and `invalid_token` of RFC 6750, that this server uses: the HTTP status, and a
 * description for client developers.
 */
const ERRORS = {
  invalid_request: [400, 'The request is missing a parameter, or one of its parameters can not be used.'],
  invalid_client: [401, 'The client is unknown, sent no credentials, or sent wrong ones.'],
  invalid_token: [401, 'The access token is invalid'],
  invalid_grant: [
    400,
    'The code is unknown, expired or used, or it belongs to another client, redirect address or code verifier.',
  ],
  invalid_scope: [400, 'The requested scope is unknown, malformed, or more than the application may ask for.'],
  unauthorized_client: [403, 'You are not authorized to revoke this token'],
  unsupported_grant_type: [400, 'The grant type is not supported by this server.'],
  unsupported_response_type: [400, 'The response type is not supported by this server.'],
  access_denied: [403, 'The owner of the account did not allow it.'],
} as const

export type OAuthErrorCode = keyof typeof ERRORS

/** An OAuth error response (RFC 6749 §5.2): `{"error": code, "error_description": …}`. */
export class OAuthRequestError extends RequestError {
  readonly code: OAuthErrorCode
  readonly description: string

  constructor(code: OAuthErrorCode, description: string = ERRORS[code][1]) {
    super(ERRORS[code][0], code, { error_description: description })
    this.code = code
    this.description = description
  }
}
