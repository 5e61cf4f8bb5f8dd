/**
 * The addresses of collections and of what belongs to them, as SQL. Of what is made here they follow from the owner's
 * address, which never changes. `c`, `i`: the collection and its item; `o`, `t`: the accounts of the owner and of who is
 * featured.
 */
export function collectionUri(c = 'c', o = 'o'): string {
  return `coalesce(${c}.uri, ${o}.uri || '/collections/' || ${c}.id)`
}

export function itemUri(i = 'i', o = 'o'): string {
  return `coalesce(${i}.uri, ${o}.uri || '/collection_items/' || ${i}.id)`
}

/** Of the consent. Who is of here has theirs here; null while nobody elsewhere has agreed. */
export function approvalUri(i = 'i', t = 't'): string {
  return `coalesce(${i}.approval_uri, case when ${t}.domain is null then ${t}.uri || '/feature_authorizations/' || ${i}.id end)`
}
