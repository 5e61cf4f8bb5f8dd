/**
 * Returns the SQL expression of a quote's approval URI (the id of its QuoteAuthorization, FEP-044f), over the aliases
 * of `quotes` and of the quoted account. The approval of a local author has a local URI; null while a remote author has
 * not approved the quote.
 */
export function quoteApprovalUri(q = 'q', author = 'author'): string {
  return `case when ${author}.domain is null then ${author}.uri || '/quote_authorizations/' || ${q}.authorization_key else ${q}.approval_uri end`
}
