/**
 * The address of the consent to a quote, as SQL over the aliases of `quotes` and of the quoted account. Who is of here
 * has theirs here; null while nobody elsewhere has agreed.
 */
export function quoteApprovalUri(q = 'q', author = 'author'): string {
  return `case when ${author}.domain is null then ${author}.uri || '/quote_authorizations/' || ${q}.consent_key else ${q}.approval_uri end`
}
