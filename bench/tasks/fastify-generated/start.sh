# Places in generated code of an npm package, some in a line of 2,103 characters: another default.
npm pack --silent fastify@5.6.2
tar xzf fastify-5.6.2.tgz --strip-components 1
rm fastify-5.6.2.tgz
