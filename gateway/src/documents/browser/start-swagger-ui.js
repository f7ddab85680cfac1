window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: true,
  // Its default asks a server of the maker whether the document is valid.
  validatorUrl: null,
});
