/** Returns JSON with the names of its properties in camel case, as masto.js returns them. Other keys stay: `pt-BR`. */
export function toCamelCase(value: unknown): unknown {
  return withNames(value, (name) =>
    // A digit has no upper case, so `require_2fa` stays as it is.
    /^[a-z\d_]+$/.test(name)
      ? name.replaceAll(/(?<=[a-z\d])_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      : name,
  )
}

/** Returns JSON with the names of its properties in snake case, as the API takes them. */
export function toSnakeCase(value: unknown): unknown {
  return withNames(value, (name) =>
    /^[a-z][A-Za-z\d_]*$/.test(name) ? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name,
  )
}

function withNames(value: unknown, convert: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => withNames(item, convert))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [convert(name), withNames(item, convert)]))
}
