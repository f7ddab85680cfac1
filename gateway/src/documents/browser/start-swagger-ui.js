/** Finds operations by any of their words; without it only the names of groups are searched. */
const searchOperations = {
  fn: {
    opsFilter(groups, phrase) {
      const wanted = phrase.toLowerCase();
      const has = (text) => text.toLowerCase().includes(wanted);
      const isFound = (entry) =>
        has(
          [
            entry.get('method'),
            entry.get('path'),
            entry.getIn(['operation', 'summary']),
            entry.getIn(['operation', 'description']),
          ].join(' '),
        );
      return groups
        .map((group, name) =>
          has(name) ? group : group.update('operations', (entries) => entries.filter(isFound)),
        )
        .filter((group) => group.get('operations').size > 0);
    },
  },
  // Its own box speaks of tags alone.
  wrapComponents: {
    FilterContainer:
      (_own, { React }) =>
      ({ layoutSelectors, layoutActions }) => {
        const phrase = layoutSelectors.currentFilter();
        const box = {
          type: 'search',
          className: 'operation-filter-input',
          placeholder: 'Search operations: a group, a path, or words of the description',
          'aria-label': 'Search operations',
          value: typeof phrase === 'string' ? phrase : '',
          onChange: ({ target }) => layoutActions.updateFilter(target.value),
        };
        const inner = React.createElement(
          'div',
          { className: 'filter wrapper' },
          React.createElement('input', box),
        );
        return React.createElement('div', { className: 'filter-container' }, inner);
      },
  },
};

window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  filter: true,
  plugins: [searchOperations],
  displayRequestDuration: true,
  persistAuthorization: true,
  // Its default asks a server of the maker whether the document is valid.
  validatorUrl: null,
});
