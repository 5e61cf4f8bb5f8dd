import { api } from '../session.ts'

/** An endpoint of the admin API. The names in parameters and responses are in camel case. */
export interface AdminEndpoint {
  /** GET */
  fetch(parameters?: object): Promise<unknown>
  /** POST */
  create(body?: object): Promise<unknown>
  /** PUT */
  update(body?: object): Promise<unknown>
  /** DELETE */
  remove(): Promise<unknown>
}

/** What masto.js returns for each part of a path: it builds the path as it is written. */
interface PathBuilder {
  $select(...segments: string[]): AdminEndpoint
}

/** Returns an endpoint below `/api/v1/admin`, for example `adminApi('reports', id, 'resolve')`. */
export function adminApi(...segments: string[]): AdminEndpoint {
  return (api().v1 as unknown as PathBuilder).$select('admin', ...segments.map(encodeURIComponent))
}

/** Returns an endpoint below `/api/v2/admin`. */
export function adminApiV2(...segments: string[]): AdminEndpoint {
  return (api().v2 as unknown as PathBuilder).$select('admin', ...segments.map(encodeURIComponent))
}
