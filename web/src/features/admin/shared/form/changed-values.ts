/**
 * Returns the values that differ from those with which a form was opened. Only they are sent, so that saving the form
 * keeps what other staff have changed meanwhile.
 */
export function changedValues<Values extends object>(opened: Values, values: Values): Partial<Values> {
  const names = (Object.keys(values) as (keyof Values)[]).filter((name) => values[name] !== opened[name])
  return pick(values, names)
}

/** Returns some of the values. */
export function pick<Values extends object>(values: Values, names: readonly (keyof Values)[]): Partial<Values> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<Values>
}
